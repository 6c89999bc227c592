import { once } from 'node:events';
import { WebSocket } from 'ws';

/** An agent as cheap as Node has it: it counts results and looks into none. */
export class Agent {
  readonly #socket: WebSocket;
  readonly #session: string;
  readonly #serial: string;
  #calls = 0;
  onResult: () => void = () => {};

  private constructor(socket: WebSocket, session: string, serial: number) {
    this.#socket = socket;
    this.#session = session;
    this.#serial = serial.toString(16).padStart(4, '0');
    socket.on('message', (data: Buffer) => {
      // A heartbeat may come between.
      if (data.includes('"tool_result"')) this.onResult();
    });
  }

  static #count = 0;

  /** The game may be on its way still. */
  static async first(port: number): Promise<Agent> {
    for (;;) {
      try {
        return await Agent.open(port);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  static async open(port: number): Promise<Agent> {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/agent?character=ann`, { perMessageDeflate: false });
    const [data] = (await once(socket, 'message')) as [Buffer];
    const message = JSON.parse(String(data)) as { type: string; session_id: string };
    if (message.type !== 'session_init') throw new Error(`no session: ${data}`);
    return new Agent(socket, message.session_id, ++Agent.#count);
  }

  /** One of some 320 bytes. */
  call(): void {
    const serial = (++this.#calls).toString(16).padStart(12, '0');
    const id = `00000000-${this.#serial}-4000-8000-${serial}`;
    this.#socket.send(
      `{"protocol":"aicc/0.1","type":"tool_call","session_id":"${this.#session}","message_id":"${id}","call_id":"${id}","tool":"go","input":{"x":${this.#calls},"y":64.5}}`,
    );
  }

  close(): void {
    this.#socket.close(1000);
  }
}

export interface Measured {
  calls: number;
  perSecond: number;
  p50Ms: number;
}

/** Keeps so many calls under way on these agents together, for so long. */
export async function load(agents: readonly Agent[], inFlight: number, ms: number): Promise<Measured> {
  const times: number[] = [];
  const began = new Map<Agent, number[]>(agents.map((agent) => [agent, []]));
  let underWay = 0;
  let turn = 0;
  const start = performance.now();
  const end = start + ms;
  await new Promise<void>((resolve) => {
    const send = () => {
      const agent = agents[turn++ % agents.length] as Agent;
      began.get(agent)?.push(performance.now());
      underWay++;
      agent.call();
    };
    for (const agent of agents) {
      const mine = began.get(agent) as number[];
      agent.onResult = () => {
        const now = performance.now();
        times.push(now - (mine.shift() as number));
        underWay--;
        if (now < end) send();
        else if (underWay === 0) resolve();
      };
    }
    for (let at = 0; at < inFlight; at++) send();
  });
  const took = performance.now() - start;
  times.sort((a, b) => a - b);
  return { calls: times.length, perSecond: (times.length / took) * 1_000, p50Ms: times[times.length >> 1] ?? Number.NaN };
}

/** One call at a time, in turn on each of these agents: whatever else the machine does, it does to all of them. */
export async function alternate(agents: readonly Agent[], ms: number): Promise<Measured[]> {
  const times = agents.map(() => [] as number[]);
  const end = performance.now() + ms;
  while (performance.now() < end) {
    for (const [index, agent] of agents.entries()) {
      const began = performance.now();
      await new Promise<void>((resolve) => {
        agent.onResult = resolve;
        agent.call();
      });
      times[index]?.push(performance.now() - began);
    }
  }
  return times.map((all) => {
    const total = all.reduce((sum, time) => sum + time, 0);
    all.sort((a, b) => a - b);
    return { calls: all.length, perSecond: (all.length / total) * 1_000, p50Ms: all[all.length >> 1] ?? Number.NaN };
  });
}

/** The best turn of each counts: what else the machine does only ever costs. */
export function best(all: readonly Measured[]): Measured {
  return {
    calls: all.reduce((sum, { calls }) => sum + calls, 0),
    perSecond: Math.max(...all.map(({ perSecond }) => perSecond)),
    p50Ms: Math.min(...all.map(({ p50Ms }) => p50Ms)),
  };
}
