import { createBridge } from 'phaser-aicc/bridge';
import { type Relay, startRelay } from 'phaser-aicc/relay';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openGameLink } from '../../plugin/game-link.ts';
import { wallClock } from '../../src/base/clock.ts';
import { uuid } from '../../src/base/uuid.ts';

/** A tab as far as a world's name is concerned: its storage, and the events that a page gets. */
class Tab {
  readonly stored: Map<string, string>;
  readonly #page = new EventTarget();

  constructor(stored: Iterable<[string, string]> = []) {
    this.stored = new Map(stored);
  }

  /** Code that runs now runs in this tab. */
  enter(): this {
    vi.stubGlobal('document', {});
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => this.stored.get(key) ?? null,
      setItem: (key: string, value: string) => this.stored.set(key, value),
      removeItem: (key: string) => this.stored.delete(key),
    });
    vi.stubGlobal('addEventListener', this.#page.addEventListener.bind(this.#page));
    vi.stubGlobal('removeEventListener', this.#page.removeEventListener.bind(this.#page));
    return this;
  }

  hide(): void {
    this.#page.dispatchEvent(new Event('pagehide'));
  }

  show(): void {
    this.#page.dispatchEvent(new Event('pageshow'));
  }
}

let relay: Relay;
beforeEach(async () => {
  vi.stubGlobal('WebSocket', WebSocket);
  relay = await startRelay({ port: 0, tcpPort: 0 });
  onTestFinished(() => relay.close());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page's game, from its first moment until it is connected. */
async function game(tab: Tab) {
  tab.enter();
  const bridge = createBridge({ world: { name: 'forest' }, clock: wallClock, newId: uuid });
  const said: string[] = [];
  let close = () => {};
  const name = await new Promise<string>((named) => {
    close = openGameLink({ url: relay.gameUrl, token: undefined, bridge, named, info: (message) => said.push(message) });
  });
  onTestFinished(() => {
    close();
    bridge.close();
  });
  return { name, said, close };
}

/** The same tab after F5: what the page has left in it, and nothing else. */
function reload(tab: Tab, { close }: { close(): void }): Tab {
  tab.enter().hide();
  const stored = [...tab.stored];
  close();
  return new Tab(stored);
}

describe('C6: the name of a world', () => {
  test('is told to the game, and once to its console with where to look', async () => {
    const first = await game(new Tab());
    const second = await game(new Tab());
    expect([first.name, second.name]).toEqual(['forest', 'forest-2']);
    const look = `to see it: npx phaser-aicc worlds --url ${relay.agentUrl}`;
    expect(first.said).toEqual([`aicc: agents find this game as the world forest; ${look}`]);
    expect(second.said).toEqual([`aicc: agents find this game as the world forest-2, because another game is forest there; ${look}`]);
  });

  test('stays with a tab over a reload, also when the first tab has been closed meanwhile', async () => {
    const first = await game(new Tab());
    const tab = new Tab();
    const second = await game(tab);
    first.close();
    const reloaded = reload(tab, second);
    expect((await game(reloaded)).name).toBe('forest-2');
    expect((await game(new Tab())).name).toBe('forest');
  });

  test('stays with a game that is made anew in its page', async () => {
    await game(new Tab());
    const tab = new Tab();
    const second = await game(tab);
    tab.enter();
    second.close();
    expect((await game(tab)).name).toBe('forest-2');
  });

  test('is not copied with a tab that is duplicated, before or after it was in the back-button cache', async () => {
    await game(new Tab());
    const tab = new Tab();
    await game(tab);
    expect((await game(new Tab(tab.stored))).name).toBe('forest-3');
    tab.enter().hide();
    tab.show();
    expect((await game(new Tab(tab.stored))).name).toBe('forest-4');
  });

  test('is the game’s own where the page may have no storage', async () => {
    const tab = new Tab().enter();
    vi.stubGlobal('sessionStorage', undefined);
    const bridge = createBridge({ world: { name: 'forest' }, clock: wallClock, newId: uuid });
    let close = () => {};
    const name = await new Promise<string>((named) => {
      close = openGameLink({ url: relay.gameUrl, token: undefined, bridge, named });
    });
    onTestFinished(() => {
      close();
      bridge.close();
    });
    expect(name).toBe('forest');
    expect(tab.stored.size).toBe(0);
  });
});
