import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { CHROMIUM_FLAGS } from './chromium.ts';

/** A tab of a browser that really hides the tabs behind the one in front. */
export interface Tab {
  /** Runs an expression in the page and gives what it, or its promise, comes to. */
  evaluate<T>(expression: string): Promise<T>;
  /** Brings the tab to the front: the others are hidden. */
  activate(): Promise<void>;
}

export interface Tabs {
  open(url: string): Promise<Tab>;
  close(): Promise<void>;
}

interface Answer {
  id: number;
  result?: unknown;
  error?: { message: string };
}

/** A Chromium of one's own, spoken to over its DevTools protocol: pages of Playwright's never become hidden. `flags`: more than the usual ones. */
export async function openTabs(executablePath: string, flags: readonly string[] = []): Promise<Tabs> {
  const profile = mkdtempSync(join(tmpdir(), 'phaser-aicc-tabs-'));
  const browser = spawn(
    executablePath,
    ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...CHROMIUM_FLAGS, ...flags, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = once(browser, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(browser.stderr).on('line', (line) => {
      const [, url] = /DevTools listening on (ws:\S+)/.exec(line) ?? [];
      if (url) resolve(url);
    });
    exited.then(([code]) => reject(new Error(`the browser ended with code ${code}`)));
  });
  const socket = new WebSocket(address, { perMessageDeflate: false });
  await once(socket, 'open');
  const pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  socket.on('message', (data) => {
    const { id, result, error } = JSON.parse(String(data)) as Answer;
    const waiting = pending.get(id);
    pending.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  });
  let lastId = 0;
  const send = <T>(method: string, params: object, sessionId?: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      pending.set(id, { resolve: resolve as (result: unknown) => void, reject });
      socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
    });
  return {
    async open(url) {
      const { targetId } = await send<{ targetId: string }>('Target.createTarget', { url });
      const { sessionId } = await send<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
      return {
        async evaluate<T>(expression: string) {
          const { result, exceptionDetails } = await send<{
            result: { value: T };
            exceptionDetails?: { text: string; exception?: { description: string } };
          }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, sessionId);
          if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
          return result.value;
        },
        activate: async () => void (await send('Target.activateTarget', { targetId })),
      };
    },
    async close() {
      void send('Browser.close', {}).catch(() => undefined);
      await exited;
      socket.terminate();
      rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}
