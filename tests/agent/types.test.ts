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

test('a session whose catalogue is given as a type has calls of those tools only, with their inputs and outputs', () => {
  interface Mira {
    say: { input: { text: string }; output: { heard_by: string[] } };
    body: { input: { full?: boolean }; output: { position: { x: number; y: number } } };
  }
  const use = async (open: typeof inNode.connect | typeof inPage.connect, keepDriving: typeof inNode.drive, session: Session<Mira>) => {
    const mira = await open<Mira>({ url: 'ws://127.0.0.1:4750/agent' });
    expectTypeOf(mira).toEqualTypeOf<Session<Mira>>();
    expectTypeOf(await session.call('say', { text: 'Hi' }, { timeoutMs: 100 })).toEqualTypeOf<{ heard_by: string[] }>();
    expectTypeOf((await session.call('body')).position.x).toEqualTypeOf<number>();
    keepDriving<Mira>({ character: 'mira' }, async (driven) => {
      expectTypeOf(driven).toEqualTypeOf<Session<Mira>>();
      // @ts-expect-error there is no such tool
      await driven.call('fly');
    });
    // @ts-expect-error say wants a text
    session.call('say');
    // @ts-expect-error a text is no number
    session.call('say', { text: 7 });
    // @ts-expect-error there is no such tool
    session.call('fly');
  };
  expectTypeOf(use).toBeFunction();
});

test('Node’s entry has every name of the browser’s', () => {
  expectTypeOf<keyof typeof inPage>().toEqualTypeOf<keyof typeof inNode>();
});
