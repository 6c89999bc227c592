import type { JsonObject } from '../base/json.ts';
import type { CallOptions } from './calls.ts';

/** What is known of a catalogue without being told: any tool may be in it. */
export type AnyCatalogue = Record<
  string,
  {
    /** The tool's input. */
    input: JsonObject;
    /** The tool's output. */
    output: JsonObject;
  }
>;

/** The ids of a catalogue's tools. */
export type ToolId<C> = keyof C & string;

/** What `call` takes after the id. The input may be left out where the tool requires none of it. */
export type CallArguments<T> =
  T extends Record<'input', infer I>
    ? Record<never, never> extends I
      ? [input?: I, options?: CallOptions]
      : [input: I, options?: CallOptions]
    : [input?: JsonObject, options?: CallOptions];

/** What a tool's call gives. */
export type CallOutput<T> = T extends Record<'output', infer O> ? O : JsonObject;
