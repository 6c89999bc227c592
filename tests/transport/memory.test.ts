import { setTimeout as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { memoryPair } from '../../src/transport/index.ts';

const TURN_MESSAGES = 1_000;

test('ends that answer one another at once do not keep the event loop from turning', async () => {
  const [mine, theirs] = memoryPair();
  let answered = 0;
  theirs.onMessage((text) => theirs.send(text));
  mine.onMessage((text) => {
    answered++;
    mine.send(text);
  });
  mine.send('ball');
  await nextTurn(0);
  const first = answered;
  expect(first).toBeGreaterThanOrEqual(TURN_MESSAGES / 2);
  await nextTurn(0);
  expect(answered).toBeGreaterThan(first);
  mine.close();
});

test('all that one turn sends arrives, in order, and then the end', async () => {
  const [mine, theirs] = memoryPair();
  const heard: (number | string)[] = [];
  theirs.onMessage((text) => heard.push(Number(text)));
  const count = 2 * TURN_MESSAGES + 1;
  const sent = Array.from({ length: count }, (_, index) => index);
  for (const each of sent) mine.send(String(each));
  mine.close(1000, 'done');
  await new Promise<void>((resolve) =>
    theirs.onClose(({ reason }) => {
      heard.push(reason);
      resolve();
    }),
  );
  expect(heard).toEqual([...sent, 'done']);
});
