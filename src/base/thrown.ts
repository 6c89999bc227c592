/** Something to read, whatever somebody else's code threw. */
export function describeThrown(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
    return text.trim() === '' ? 'failed without saying why' : text;
  } catch {
    return 'failed with something that cannot be read';
  }
}
