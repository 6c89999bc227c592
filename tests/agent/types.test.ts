import { expectTypeOf, test } from 'vitest';
import type * as inPage from '../../src/agent/index.ts';
import type { CallError, JsonObject, Session, Snapshot } from '../../src/agent/index.ts';
import type * as inNode from '../../src/agent/node.ts';

test('F2: listeners get the payload of their topic', () => {
  const use = (session: Session) => {
    session.on('tick', (payload, meta) => {
      expectTypeOf(payload.dt_ms).toEqualTypeOf<number>();
      expectTypeOf(payload.snapshot).toEqualTypeOf<Snapshot | undefined>();
      expectTypeOf(meta.seq).toEqualTypeOf<number | undefined>();
    });
    session.on('agent_message', ({ from, text }) => {
      expectTypeOf(from).toEqualTypeOf<string>();
      expectTypeOf(text).toEqualTypeOf<string>();
    });
    session.on('audio', ({ kind }) => expectTypeOf(kind).toEqualTypeOf<'speech' | 'sound'>());
    session.on('close', (end) => expectTypeOf(end).toEqualTypeOf<{ code: number; reason: string }>());
    session.on('error', (error) => expectTypeOf(error).toEqualTypeOf<Error>());
    // @ts-expect-error no such topic
    session.on('smell', () => {});
    expectTypeOf(session.call('body')).resolves.toEqualTypeOf<JsonObject>();
  };
  expectTypeOf(use).toBeFunction();
  expectTypeOf<CallError['retryable']>().toEqualTypeOf<boolean>();
});

test('Node’s entry has every name of the browser’s', () => {
  expectTypeOf<keyof typeof inPage>().toEqualTypeOf<keyof typeof inNode>();
});
