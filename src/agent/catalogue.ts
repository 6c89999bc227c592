import type { JsonObject } from '../base/json.ts';
import type { CallOptions } from './calls.ts';

/** What is known of a catalogue without being told: any tool may be in it. */
export type AnyCatalogue = Record<string, { input: JsonObject; output: JsonObject }>;

/** The ids of a catalogue's tools. */
export type ToolId<C> = keyof C & string;

/** What `call` takes after the id: the input may be left out where the tool requires none of it. */
export type CallArguments<T> = T extends { input: infer I }
  ? Record<never, never> extends I
    ? [input?: I, options?: CallOptions]
    : [input: I, options?: CallOptions]
  : [input?: JsonObject, options?: CallOptions];

/** What a tool's call gives. */
export type CallOutput<T> = T extends { output: infer O } ? O : JsonObject;
