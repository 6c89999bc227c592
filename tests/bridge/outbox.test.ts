import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/bridge/index.ts';
import { Outbox } from '../../src/bridge/outbox.ts';

interface Sent {
  name: string;
  seq: number;
  dropped: number;
}

/** An outbox whose messages are their own names, and an agent that notes them. */
function openOutbox() {
  const clock = new ManualClock();
  const outbox = new Outbox(clock);
  const received: Sent[] = [];
  const text = (name: string) => ({ before: `{"name":${JSON.stringify(name)}`, after: '}' });
  return {
    clock,
    outbox,
    received,
    attach: (resume?: { lastSeq: number | undefined }) =>
      outbox.attach((sent) => received.push({ dropped: 0, ...JSON.parse(sent) }), resume),
    result: (name: string) => outbox.result(text(name), () => text(`lost ${name.slice(0, 8)}`)),
    event: (name: string, options: { key?: string; keep?: boolean } = {}) => outbox.event(text(name), { keep: true, ...options }),
    names: () => received.map((sent) => sent.name),
  };
}

describe('D15, F3, F4: the way out', () => {
  test('D15: one counter runs over results and events, from 1', () => {
    const { attach, result, event, received } = openOutbox();
    attach();
    result('r1');
    event('e1');
    result('r2');
    expect(received).toEqual([
      { name: 'r1', seq: 1, dropped: 0 },
      { name: 'e1', seq: 2, dropped: 0 },
      { name: 'r2', seq: 3, dropped: 0 },
    ]);
  });

  test('F4: while held, results flow and events wait for the release in order', () => {
    const { outbox, attach, result, event, names } = openOutbox();
    attach();
    outbox.hold(true);
    event('e1');
    result('r1');
    event('e2');
    expect(names()).toEqual(['r1']);
    outbox.hold(false);
    expect(names()).toEqual(['r1', 'e1', 'e2']);
  });

  test('F2, E4: an unsent event of the same key is replaced, at the end, and counts as none dropped', () => {
    const { outbox, attach, event, received } = openOutbox();
    attach();
    outbox.hold(true);
    event('tick 1', { key: 'tick' });
    event('e1');
    event('tick 2', { key: 'tick' });
    outbox.hold(false);
    expect(received.map(({ name, dropped }) => [name, dropped])).toEqual([
      ['e1', 0],
      ['tick 2', 0],
    ]);
  });

  test('C5: what waited without a connection comes in order, and a new connection is not held', () => {
    const { outbox, attach, result, event, names } = openOutbox();
    attach();
    outbox.hold(true);
    event('e1');
    outbox.detach();
    result('r1');
    event('e2');
    attach({ lastSeq: undefined });
    expect(names()).toEqual(['e1', 'r1', 'e2']);
  });

  test('D1: a kept result can be sent again, one that waits comes by itself', () => {
    const { outbox, attach, result, received } = openOutbox();
    const waiting = result('r1');
    expect(outbox.again(waiting)).toBe('coming');
    expect(received).toEqual([]);
    attach();
    expect(outbox.again(waiting)).toBe('coming');
    expect(received).toEqual([
      { name: 'r1', seq: 1, dropped: 0 },
      { name: 'r1', seq: 1, dropped: 0 },
    ]);
  });

  test('C5, F3, F4: whatever happens to the connection, results arrive once each in order, and events in order with every gap told', () => {
    const action = fc.oneof(
      { weight: 5, arbitrary: fc.constant('result' as const) },
      { weight: 8, arbitrary: fc.constant('event' as const) },
      { weight: 2, arbitrary: fc.constant('many events' as const) },
      { weight: 2, arbitrary: fc.constant('tick' as const) },
      { weight: 2, arbitrary: fc.constant('hold' as const) },
      { weight: 2, arbitrary: fc.constant('release' as const) },
      { weight: 2, arbitrary: fc.constant('lose' as const) },
      { weight: 2, arbitrary: fc.constant('resume' as const) },
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const { outbox, attach, result, event, received } = openOutbox();
        attach();
        let attached = true;
        const made = { result: 0, event: 0, tick: 0 };
        for (const each of actions) {
          if (each === 'result') result(`result ${made.result++}`);
          if (each === 'event') event(`event ${made.event++}`);
          if (each === 'many events') for (let n = 0; n < 200; n++) event(`event ${made.event++}`);
          if (each === 'tick' && attached) event(`tick ${made.tick++}`, { key: 'tick', keep: false });
          if (each === 'hold' && attached) outbox.hold(true);
          if (each === 'release' && attached) outbox.hold(false);
          if (each === 'lose' && attached) {
            outbox.detach();
            attached = false;
          }
          if (each === 'resume' && !attached) {
            // The agent tells the last thing that it knows, so nothing comes twice.
            attach({ lastSeq: received.at(-1)?.seq ?? 0 });
            attached = true;
          }
        }
        if (!attached) attach({ lastSeq: received.at(-1)?.seq ?? 0 });
        outbox.hold(false);

        expect(received.map((sent) => sent.seq)).toEqual(received.map((_, n) => n + 1));
        const of = (kind: string) => received.filter((sent) => sent.name.startsWith(kind)).map((sent) => Number(sent.name.split(' ')[1]));
        expect(of('result')).toEqual(Array.from({ length: made.result }, (_, n) => n));
        const events = of('event');
        expect([...events].sort((a, b) => a - b)).toEqual(events);
        expect(new Set(events).size).toBe(events.length);
        const dropped = received.reduce((sum, sent) => sum + sent.dropped, 0);
        // A tick may have been pushed out too; it is of no use later.
        expect(dropped).toBeGreaterThanOrEqual(made.event - events.length);
        expect(dropped).toBeLessThanOrEqual(made.event - events.length + made.tick);
        const ticks = of('tick');
        expect([...ticks].sort((a, b) => a - b)).toEqual(ticks);
      }),
      { numRuns: 150 },
    );
  });
});
