import { type Channel, type ChannelEnd, memoryPair } from '../../src/transport/index.ts';

export const SESSION = '8a3f2d51-7c64-4b1e-9f0a-1d2c3b4a5e6f';
export const NIL = '00000000-0000-0000-0000-000000000000';
export const OTHER_SESSION = '00000000-0000-4000-8000-00000000000b';

const envelope = (type: string, messageId = '5b6c7d8e-9f01-4234-8567-89abcdef0123', session = SESSION) =>
  `"protocol":"aicc/0.1","type":"${type}","session_id":"${session}","message_id":"${messageId}"`;

const TOOLS =
  '[{"id":"body","class":"sensor","description":"Where you are","input_schema":{"type":"object"},"output_schema":{"type":"object"}},' +
  '{"id":"move_to","class":"actuator","description":"Walk","input_schema":{"type":"object"},"output_schema":{"type":"object"}}]';

export const manifest = (subscriptions = '["tick","audio","state_change"]', tools = TOOLS) =>
  '"tick_rate_hz":10,"tick_mode":"hybrid","world":{"name":"hill","kind":"2d"},"agent_model":{"class":"cloud_medium"},' +
  `"capabilities":{"sensors":["proprioception"],"actuators":["locomotion"],"generators":[]},"tools":${tools},"event_subscriptions":${subscriptions}`;

export const text = {
  init: (subscriptions?: string, session?: string) => `{${envelope('session_init', undefined, session)},${manifest(subscriptions)}}`,
  result: (callId: string, output: string, more = '') =>
    `{${envelope('tool_result')},"call_id":"${callId}","ok":true,"output":${output}${more}}`,
  failure: (callId: string, code: string, message: string, retryable: boolean) =>
    `{${envelope('tool_result')},"call_id":"${callId}","ok":false,"error":{"code":"${code}","message":"${message}","retryable":${retryable}}}`,
  event: (topic: string, payload: string) => `{${envelope('event')},"topic":"${topic}","payload":${payload}}`,
  tick: (tick: number, more = '') =>
    `{${envelope('event')},"topic":"tick","payload":{"tick":${tick},"time_ms":${tick * 100},"dt_ms":100${more}}}`,
  error: (code: string, message: string, retryable: boolean, messageId?: string, session?: string) =>
    `{${envelope('error', messageId, session)},"error":{"code":"${code}","message":"${message}","retryable":${retryable}}}`,
  close: (reason: string) => `{${envelope('session_close')},"reason":"${reason}"}`,
  heartbeat: (members: string) => `{${envelope('heartbeat')},"manifest_update":{"protocol":"aicc/0.1","type":"session_init",${members}}}`,
};

export interface Sent {
  type?: string;
  message_id: string;
  call_id: string;
  tool?: string;
  input: Record<string, unknown>;
  connect?: Record<string, unknown>;
  reason?: string;
}

/** The bridge's end of a memory pair, which says only what a test writes. */
export function scriptedPeer(): {
  agentEnd: Channel;
  say(line: string): void;
  hangUp(code: number, reason: string): void;
  ended(listener: (end: ChannelEnd) => void): void;
  next(): Promise<Sent>;
  unread(): Sent[];
} {
  const [agentEnd, bridgeEnd] = memoryPair();
  const heard: Sent[] = [];
  const waiting: ((message: Sent) => void)[] = [];
  bridgeEnd.onMessage((line) => {
    const message = JSON.parse(line) as Sent;
    const first = waiting.shift();
    if (first === undefined) heard.push(message);
    else first(message);
  });
  return {
    agentEnd,
    say: (line) => bridgeEnd.send(line),
    hangUp: (code, reason) => bridgeEnd.close(code, reason),
    ended: (listener) => bridgeEnd.onClose(listener),
    next: () =>
      new Promise((resolve) => {
        const first = heard.shift();
        if (first === undefined) waiting.push(resolve);
        else resolve(first);
      }),
    unread: () => heard,
  };
}

/** All that is under way in microtasks has happened. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
