import { expect, test } from 'vitest';
import { ManualClock } from '../../src/bridge/manual-clock.ts';
import { watchSilence } from '../../src/transport/index.ts';

function watched() {
  const clock = new ManualClock();
  const told: number[] = [];
  const silence = watchSilence({ clock, lookMs: 10_000, onSilent: () => told.push(clock.wallNow()) });
  return { clock, told, silence };
}

test('C9: nothing heard for three looks is death, a millisecond earlier it is not; it is told once', () => {
  const { clock, told } = watched();
  clock.pass(29_999);
  expect(told).toEqual([]);
  clock.pass(100_001);
  expect(told).toEqual([30_000]);
  expect(clock.timers).toBe(0);
});

test('C9: whatever is heard between two looks starts the count anew', () => {
  const { clock, told, silence } = watched();
  clock.pass(29_999);
  silence.heard();
  clock.pass(30_000);
  expect(told).toEqual([]);
  clock.pass(1);
  expect(told).toEqual([60_000]);
});

test('C9: one word a look keeps it alive for ever', () => {
  const { clock, told, silence } = watched();
  for (let look = 0; look < 1_000; look++) {
    silence.heard();
    clock.pass(10_000);
  }
  expect(told).toEqual([]);
});

test('C9: who was frozen for an hour is not judged before there was time to read what came meanwhile', () => {
  let now = 0;
  let due: { run: () => void; at: number } | undefined;
  let died = false;
  const clock = {
    wallNow: () => now,
    schedule: (run: () => void, ms: number) => {
      due = { run, at: now + ms };
      return () => undefined;
    },
  };
  /** Time goes by, and then what is due runs, however late: as in a page that wakes. */
  const wake = (ms: number) => {
    now += ms;
    const late = due;
    if (late === undefined || late.at > now) return;
    due = undefined;
    late.run();
  };
  const onSilent = () => {
    died = true;
  };
  const silence = watchSilence({ clock, lookMs: 10_000, onSilent });
  for (let times = 0; times < 10; times++) {
    wake(3_600_000);
    expect(died).toBe(false);
    silence.heard();
    wake(10_000);
  }
  expect(died).toBe(false);
});

test('C9: stopped, it leaves no timer', () => {
  const { clock, told, silence } = watched();
  clock.pass(15_000);
  silence.stop();
  expect(clock.timers).toBe(0);
  clock.pass(100_000);
  expect(told).toEqual([]);
});
