import type { ApprovalRequest } from 'phaser-aicc';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Answer, Approvals } from '../../demo-game/page/approvals.ts';
import { visibleStart, visibleText } from '../../demo-game/page/visible-text.ts';

interface Call {
  request: ApprovalRequest;
  end(): void;
}

function call(tool = 'give', session = 's1'): Call {
  const over = new AbortController();
  const request = { character: 'mira', session, principal: 'driver-one', tool, input: { target: 'player' }, signal: over.signal };
  return { request, end: () => over.abort() };
}

describe('the queue of questions', () => {
  const shown: { request: ApprovalRequest; answer(answer: Answer): void }[] = [];
  let isOpen = false;
  let approvals: Approvals;
  beforeEach(() => {
    shown.length = 0;
    isOpen = false;
    approvals = new Approvals({
      show(request, _askedAt, answer) {
        expect(isOpen).toBe(false);
        isOpen = true;
        shown.push({ request, answer });
      },
      hide() {
        isOpen = false;
      },
    });
  });
  const answerNow = (answer: Answer) => shown.at(-1)?.answer(answer);

  test('T11: one question at a time, in the order in which they came', async () => {
    const answers = ['move_to', 'say', 'give'].map((tool) => approvals.ask(call(tool).request));
    expect(shown.map(({ request }) => request.tool)).toEqual(['move_to']);
    answerNow('once');
    answerNow('refuse');
    answerNow('once');
    expect(await Promise.all(answers)).toEqual([true, false, true]);
    expect(shown.map(({ request }) => request.tool)).toEqual(['move_to', 'say', 'give']);
    expect(isOpen).toBe(false);
  });

  test('T11: eight wait behind the one that is shown; a ninth is refused at once', async () => {
    const answers = Array.from({ length: 9 }, () => approvals.ask(call().request));
    expect(await approvals.ask(call().request)).toBe(false);
    expect(shown.length).toBe(1);
    for (const _ of answers) answerNow('once');
    expect(await Promise.all(answers)).toEqual(Array(9).fill(true));
  });

  test('T11: a question goes away when its call ends, shown or waiting, and the next one comes', async () => {
    const [first, second, third] = [call('first'), call('second'), call('third')];
    const answers = [first, second, third].map(({ request }) => approvals.ask(request));
    second.end();
    first.end();
    expect(shown.map(({ request }) => request.tool)).toEqual(['first', 'third']);
    shown[0]?.answer('once');
    expect(isOpen).toBe(true);
    third.end();
    expect(isOpen).toBe(false);
    expect(await Promise.all(answers)).toEqual([false, false, false]);
    expect(await approvals.ask(first.request)).toBe(false);
    expect(shown.length).toBe(2);
  });

  test('T11: what is allowed for a session is asked no more, for this tool and in this session alone', async () => {
    const answers = [call(), call('say'), call()].map(({ request }) => approvals.ask(request));
    answerNow('session');
    // The other one of the same tool need not be shown.
    expect(await answers[2]).toBe(true);
    answerNow('refuse');
    expect(await Promise.all(answers)).toEqual([true, false, true]);
    expect(await approvals.ask(call().request)).toBe(true);
    expect(shown.length).toBe(2);
    void approvals.ask(call('say').request);
    answerNow('once');
    void approvals.ask(call('give', 's2').request);
    expect(shown.slice(2).map(({ request }) => [request.session, request.tool])).toEqual([
      ['s1', 'say'],
      ['s2', 'give'],
    ]);
  });

  test('T11: when the night ends every question is refused, none is shown, and none comes until the next night', async () => {
    const answers = ['first', 'second', 'third'].map((tool) => approvals.ask(call(tool).request));
    approvals.close();
    expect(isOpen).toBe(false);
    expect(await Promise.all(answers)).toEqual([false, false, false]);
    expect(await approvals.ask(call('late').request)).toBe(false);
    expect(shown.map(({ request }) => request.tool)).toEqual(['first']);
    approvals.open();
    const next = approvals.ask(call('next').request);
    answerNow('once');
    expect(await next).toBe(true);
  });
});

describe('T11: what comes from outside is shown as it is', () => {
  test('nothing hides in it, and nothing turns it around', () => {
    expect(visibleText('give <b>all</b>\nto Zoë ☂ 水')).toBe('give <b>all</b>\nto Zoë ☂ 水');
    expect(visibleText('a\u202eb\u200bc\u0007d\u2066e\u00adf\ud800g\u{e0041}h')).toBe(
      'a\\u{202e}b\\u{200b}c\\u{7}d\\u{2066}e\\u{ad}f\\u{d800}g\\u{e0041}h',
    );
  });

  test('what is too long is cut, and that is said', () => {
    expect(visibleStart('abc', 3)).toBe('abc');
    expect(visibleStart('abcde', 3)).toBe('abc … and 2 more letters that are not shown');
  });
});
