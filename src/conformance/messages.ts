import { check, fail, show } from './failure.ts';

export const PROTOCOL = 'aicc/0.1';
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** A2: bytes and levels of one message. */
export const MESSAGE_BYTES = 1_048_576;
export const MESSAGE_DEPTH = 64;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface ErrorDetail {
  code: string;
  message: string;
  retryable: boolean;
}

/** One tool of a catalogue. */
export interface ToolEntry {
  id: string;
  class: string;
  input_schema: JsonObject;
  output_schema: JsonObject;
  requires_capability?: string;
  limits?: JsonObject;
}

/** Any message from the bridge: its members are looked at one by one. */
export interface Message {
  type: string;
  session_id: string;
  message_id: string;
  call_id?: string;
  ok?: boolean;
  output?: JsonObject;
  error?: ErrorDetail;
  topic?: string;
  payload?: JsonObject;
  meta?: JsonObject;
  reason?: string;
  manifest_update?: JsonObject;
  [member: string]: unknown;
}

/** The first message of a session. */
export interface Init extends Message {
  tick_rate_hz: number;
  tick_mode: string;
  world: { name: string; kind: string };
  agent_model: { class: string };
  capabilities: { sensors: string[]; actuators: string[]; generators: string[] };
  tools: ToolEntry[];
  event_subscriptions?: string[];
}

export interface WantedError {
  code: string;
  retryable?: boolean;
  /** What its text must hold. */
  says?: RegExp;
}

/** The error of a message is as wanted. */
export function checkError(message: Message, { code, retryable, says }: WantedError): void {
  const { error } = message;
  if (error === undefined) return fail(`the ${message.type} has no error: ${show(message)}`);
  check(error.code === code, `the code is ${error.code}, not ${code} (${error.message})`);
  check(retryable === undefined || error.retryable === retryable, `${code} says retryable: ${error.retryable}, not ${retryable}`);
  check(says === undefined || says.test(error.message), `the message ${show(error.message)} does not say ${says}`);
}

/** A failed result as wanted. */
export function checkFailed(result: Message, wanted: WantedError): void {
  check(result.ok === false, `the call succeeded with ${show(result.output)}; wanted ${wanted.code}`);
  checkError(result, wanted);
  check(!('output' in result), 'a failed result has an output');
}

/** The output of a call that succeeded. */
export function outputOf(result: Message): JsonObject {
  if (result.ok !== true) return fail(`the call failed: ${show(result.error)}`);
  check(result.error === undefined, 'a result is ok and has an error');
  return result.output ?? fail('a result is ok and has no output');
}
