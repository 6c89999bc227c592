import { checkAgentMessage } from '../../src/protocol/index.ts';

/** What the rules say about a row of lines sent in one session. */
export interface Expected {
  /** Answers that the relay alone owes. */
  fromRelay: number;
  /** Answers that the game owes; some may be cut off when the connection closes. */
  fromGame: number;
  /** How the connection ends by itself, and after how many lines. */
  end?: { code: number; after: number; extraLine: boolean };
}

export type Kind = 'tcp' | 'websocket';
export type Verdict = 'none' | 'fault' | 'game fault' | 'fatal' | 'undecodable' | 'answered' | 'unsaid';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A3, A4, A7, C1 for lines that the schema and the session id decide; the connection closes at the 20th fault. */
export function expectAnswers(kind: Kind, verdicts: readonly Verdict[]): Expected {
  const expected: Expected = { fromRelay: 0, fromGame: 0 };
  let faults = 0;
  for (const [index, verdict] of verdicts.entries()) {
    const after = index + 1;
    if (verdict === 'undecodable' && kind === 'websocket') return { ...expected, end: { code: 1007, after, extraLine: false } };
    if (verdict === 'fault' || verdict === 'fatal' || verdict === 'undecodable') expected.fromRelay++;
    if (verdict === 'game fault' || verdict === 'answered') expected.fromGame++;
    if (verdict === 'fatal') return { ...expected, end: { code: 1008, after, extraLine: false } };
    if (verdict === 'fault' || verdict === 'game fault' || verdict === 'undecodable') faults++;
    if (faults === 20) return { ...expected, end: { code: 1008, after, extraLine: kind === 'tcp' } };
  }
  return expected;
}

/** What the rules say about one line. `unsaid`: its outcome depends on more than the line. */
export function judgeLine(kind: Kind, line: string | Uint8Array, sessionId: string): Verdict {
  let text: string;
  try {
    text = typeof line === 'string' ? line : decoder.decode(line);
  } catch {
    return 'undecodable';
  }
  if (kind === 'tcp') text = text.replace(/\r$/, '');
  if (kind === 'tcp' && /^[ \t\r]*$/.test(text)) return 'none';
  const check = checkAgentMessage(text);
  if (!check.ok) {
    if (check.fatal) return 'fatal';
    return check.call !== undefined && (check.call.session_id ?? sessionId) === sessionId ? 'game fault' : 'fault';
  }
  const { type, session_id } = check.message;
  if (session_id !== sessionId) return 'answered';
  // A heartbeat may stay unanswered (C3), a resume repeats what was (C5), a close ends the session.
  if (type === 'heartbeat') return 'none';
  return type === 'session_resume' || type === 'session_close' ? 'unsaid' : 'answered';
}
