import type { ChildProcess } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Measured, measure, request, serve, type Work } from './aicontrol/load.ts';

export const name = 'aicontrol';

/** The servers take turns and the best turn of each counts, so that what else the machine does falls on none of them alone. */
const MS = 250;
const ROUNDS = 12;
const WARM_UP_MS = 500;

const here = (path: string) => fileURLToPath(new URL(`./aicontrol/${path}`, import.meta.url));

const once =
  (text: string): Work =>
  (line, done) =>
    line.send(text, done);

const PING = once(request('ping'));
const OBSERVE = once(request('observe'));

/** From the `act` to its completion, asked for again and again; commands of several connections are appended. */
const ACT: Work = (line, done) => {
  const complete = async () => {
    const { commandSeq } = (await line.ask('act', { type: 'step', append: true })) as { commandSeq: number };
    for (;;) {
      const { latestSeq } = (await line.ask('events', { limit: 1, afterSeq: Number.MAX_SAFE_INTEGER })) as { latestSeq: number };
      // Nothing else happens in this world: the event of a command has its number.
      if (latestSeq >= commandSeq) return;
    }
  };
  void complete().then(done);
};

interface Task {
  server: string;
  task: string;
  port: number;
  work: Work;
}

/** AiControl beside a bare Node echo of lines and a threaded Python server of the same protocol, in one run. */
export async function run() {
  const children: ChildProcess[] = [];
  const start = async (program: string, ...args: string[]) => {
    const { child, port } = await serve(program, args);
    children.push(child);
    return port;
  };
  try {
    const notes: string[] = [];
    const ours = await start(process.execPath, '--import', 'tsx/esm', here('endpoint.ts'));
    const tasks: Task[] = [
      { server: 'node echo', task: 'ping', port: await start(process.execPath, here('echo-server.mjs')), work: PING },
      { server: 'aicontrol', task: 'ping', port: ours, work: PING },
      { server: 'aicontrol', task: 'observe', port: ours, work: OBSERVE },
      { server: 'aicontrol', task: 'act → completion', port: ours, work: ACT },
    ];
    if (spawnSync('python3', ['--version']).status === 0) {
      tasks.push({ server: 'python', task: 'ping', port: await start('python3', here('server.py')), work: PING });
    } else {
      notes.push('python3 is not here: its server was left out.');
    }
    const measured = new Map<string, Measured>();
    for (const connections of [1, 10]) {
      const all = tasks.map(() => [] as Measured[]);
      for (const { port, work } of tasks) await measure(port, connections, WARM_UP_MS, work);
      for (let round = 0; round < ROUNDS; round++) {
        for (const [index, { port, work }] of tasks.entries()) all[index]?.push(await measure(port, connections, MS, work));
      }
      for (const [index, { server, task }] of tasks.entries()) measured.set(key(server, task, connections), best(all[index] as Measured[]));
    }
    const ratio = (connections: number, server: string) => rate(measured, 'aicontrol', connections) / rate(measured, server, connections);
    const ratios = {
      'ping / node echo, 1 connection': ratio(1, 'node echo'),
      'ping / node echo, 10 connections': ratio(10, 'node echo'),
      'ping / python, 10 connections': ratio(10, 'python'),
    };
    for (const [what, value] of Object.entries(ratios)) if (!Number.isNaN(value)) notes.push(`${what}: ${value.toFixed(2)}`);
    const rows = [...measured].map(([what, { p50Ms, perSecond }]) => [what, Math.round(perSecond), p50Ms.toFixed(3)]);
    return { columns: ['', 'per second', 'p50 ms'], rows, notes, data: { ...Object.fromEntries(measured), ratios } };
  } finally {
    for (const child of children) child.kill();
  }
}

const key = (server: string, task: string, connections: number) =>
  `${server} ${task}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;

function rate(measured: ReadonlyMap<string, Measured>, server: string, connections: number): number {
  return measured.get(key(server, 'ping', connections))?.perSecond ?? Number.NaN;
}

function best(all: Measured[]): Measured {
  return all.reduce((one, other) => (other.perSecond > one.perSecond ? other : one));
}
