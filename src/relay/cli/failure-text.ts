import type { CallError } from '../../agent/node.ts';

/** The code of a failed call, with its reason where that says more: `tool_unavailable (busy)`. */
export function failureLabel({ code, reason }: CallError): string {
  return reason === code ? code : `${code} (${reason})`;
}
