import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Message, message, type RawAgent, tcpAgent, webSocketAgent } from '../relay/raw-agents.ts';
import { isLong } from '../support/extent.ts';
import { type Expected, expectAnswers, judgeLine, type Kind, type Verdict } from './expect-answers.ts';
import { LineMaker } from './lines.ts';
import type { Measured } from './relay-process.ts';

const LINES = isLong ? 100_000 : 10_000;
/** A machine too busy for all of them stops here; FUZZ_MS gives it more. Milliseconds for each kind. */
const BUDGET_MS = Number(process.env.FUZZ_MS ?? 30_000);
const LINES_A_CONNECTION = 40;
const SIDE_BY_SIDE = 12;
/** What a heap may differ by after a collection: code that was compiled meanwhile, buffers of sockets. A leak of 100 bytes a line is 16 MB. */
const MEMORY_MARGIN = 8_000_000;

interface Target {
  process: ChildProcess;
  agentUrl: string;
  tcpPort: number;
}

let target: Target;
beforeAll(async () => {
  const process = fork(fileURLToPath(new URL('./relay-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx', '--expose-gc'],
    stdio: 'inherit',
  });
  const [{ agentUrl, tcpPort }] = await once(process, 'message');
  target = { process, agentUrl, tcpPort };
});
afterAll(() => {
  target?.process.kill();
});

async function memory(): Promise<number> {
  const measured = once(target.process, 'message');
  target.process.send('measure');
  return ((await measured)[0] as Measured).bytes;
}

async function open(kind: Kind, character: string): Promise<{ agent: RawAgent; sessionId: string }> {
  const agent =
    kind === 'tcp'
      ? await tcpAgent(target.tcpPort, JSON.stringify({ connect: { character, wait_ms: 5_000, event_subscriptions: [] } }))
      : await webSocketAgent(`${target.agentUrl}?character=${character}&wait_ms=5000&subscribe=`);
  const init = await agent.next();
  expect(init).toMatchObject({ type: 'session_init' });
  return { agent, sessionId: init.session_id };
}

/** A session that does everything right. */
async function neighbour(kind: Kind): Promise<{ call(): Promise<void>; close(): void }> {
  const { agent, sessionId } = await open(kind, 'good');
  let calls = 0;
  const waiting = new Map<string, (result: Message) => void>();
  void (async () => {
    for (;;) {
      const received = await agent.next();
      if (received.type === 'tool_result') waiting.get(received.call_id as string)?.(received);
      else expect(received.type).toBe('heartbeat');
    }
  })();
  return {
    async call() {
      const call_id = `call ${calls++}`;
      const result = new Promise<Message>((resolve) => waiting.set(call_id, resolve));
      agent.send(message('tool_call', sessionId, { call_id, tool: 'echo', input: { text: call_id } }));
      expect(await Promise.race([result, agent.closed])).toMatchObject({ type: 'tool_result', ok: true, output: { text: call_id } });
      waiting.delete(call_id);
    },
    close: agent.close,
  };
}

/** Sends the lines and a last good call, and gives what came back until that was answered or the connection closed. */
async function talk(
  agent: RawAgent,
  sessionId: string,
  lines: readonly (string | Uint8Array)[],
): Promise<{ answers: Message[]; code: number | undefined }> {
  agent.sendTogether([...lines, message('tool_call', sessionId, { call_id: 'last', tool: 'echo', input: { text: 'still there' } })]);
  const answers: Message[] = [];
  let code: number | undefined;
  const ended = agent.closed.then((end) => {
    code = end.code;
    return undefined;
  });
  for (;;) {
    const received = await Promise.race([agent.next(), ended]);
    if (received === undefined || (received.type === 'tool_result' && received.call_id === 'last')) break;
    answers.push(received);
  }
  answers.push(...agent.unread.splice(0).filter(({ call_id }) => call_id !== 'last'));
  if (code === undefined) {
    agent.send(message('session_close', sessionId));
    await ended;
    expect([0, 1000]).toContain(code);
    return { answers: answers.filter(({ type }) => type !== 'heartbeat'), code: undefined };
  }
  return { answers: answers.filter(({ type }) => type !== 'heartbeat'), code };
}

function judge(kind: Kind, { answers, code }: { answers: Message[]; code: number | undefined }, expected: Expected): void {
  const { fromRelay, fromGame, end } = expected;
  if (end === undefined) {
    expect(code).toBeUndefined();
    expect(answers).toHaveLength(fromRelay + fromGame);
  } else {
    expect(code).toBe(kind === 'tcp' ? 0 : end.code);
    const own = fromRelay + (end.extraLine ? 1 : 0);
    expect(answers.length).toBeGreaterThanOrEqual(own);
    expect(answers.length).toBeLessThanOrEqual(own + fromGame);
    if (kind === 'tcp') expect(answers.at(-1)).toMatchObject({ type: 'error', error: { retryable: false } });
  }
}

test.each<Kind>(['tcp', 'websocket'])(
  `A1–A8: random and mutated messages over %s (${LINES}, or as many as half a minute allows) are each answered or end their connection, memory stays flat, a neighbour feels nothing`,
  async (kind) => {
    const good = await neighbour(kind);
    let left = LINES;
    let seed = 0;
    const begun = performance.now();
    /** Attacks until this part of the lines or of the time is used up. */
    const worker = async (part: number) => {
      while (left > LINES * (1 - part) && performance.now() - begun < BUDGET_MS * part) {
        const name = `${kind} ${seed++}`;
        const maker = new LineMaker(name);
        const { agent, sessionId } = await open(kind, 'mira');
        const lines: (string | Uint8Array)[] = [];
        const verdicts: Verdict[] = [];
        while (lines.length < LINES_A_CONNECTION) {
          const line = maker.next(sessionId);
          const verdict = judgeLine(kind, line, sessionId);
          if (verdict === 'unsaid') continue;
          // Each of these ends a WebSocket: a few are enough.
          if (kind === 'websocket' && verdict === 'undecodable' && maker.below(5) > 0) continue;
          lines.push(line);
          verdicts.push(verdict);
        }
        const expected = expectAnswers(kind, verdicts);
        left -= expected.end?.after ?? lines.length;
        const outcome = await talk(agent, sessionId, lines);
        try {
          judge(kind, outcome, expected);
        } catch (error) {
          throw new Error(`with the lines of seed "${name}"`, {
            cause: error,
          });
        }
        await good.call();
      }
    };
    const attack = (part: number) => Promise.all(Array.from({ length: SIDE_BY_SIDE }, () => worker(part)));

    await attack(0.25);
    const before = await memory();
    await attack(1);
    await good.call();
    const after = await memory();
    expect(after - before).toBeLessThan(MEMORY_MARGIN);
    expect(target.process.exitCode).toBeNull();
    good.close();
  },
  BUDGET_MS * 2 + 60_000,
);
