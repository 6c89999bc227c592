import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Browser, Page } from 'playwright';
import { launchChromium } from './chromium.ts';

/** What the page shows of a person. */
export interface Person {
  x: number;
  y: number;
  driver: 'none' | 'builtin' | 'person' | 'agent';
  mind: string;
  carries: string;
  says: string;
}

/** What `npm start` starts, at free ports, with a Chromium beside it. */
export class LiveGame {
  private constructor(
    private readonly process: ChildProcess,
    readonly ready: { url: string; agent: string; tcp: number; aicontrol?: number },
    private readonly browser: Browser,
  ) {}

  static async start(...flags: string[]): Promise<LiveGame> {
    const child = spawn(process.execPath, ['demo-game/start.mjs', '--no-open', '--port', '0', '--tcp-port', '0', ...flags], {
      env: { ...process.env, CI: 'true' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    for await (const chunk of child.stdout as NonNullable<typeof child.stdout>) {
      out += chunk;
      if (out.includes('\n')) break;
    }
    const ready = JSON.parse(out.replace('AICC_READY ', ''));
    return new LiveGame(child, ready, await launchChromium());
  }

  /** Opens the game in a new tab, past its title. */
  async play(query = ''): Promise<GamePage> {
    const game = new GamePage(await this.browser.newPage({ viewport: { width: 800, height: 500 } }));
    await game.open(`${this.ready.url}?play&renderer=canvas&seed=7${query}`);
    return game;
  }

  async close(): Promise<void> {
    await this.browser.close();
    if (this.process.exitCode !== null) return;
    this.process.kill('SIGINT');
    await once(this.process, 'exit');
  }
}

/** The game in one tab, read as it shows itself. */
export class GamePage {
  /** The Content-Security-Policy that the page came with. */
  policy = '';
  /** What the page, its console and its policy complained about. */
  readonly problems: string[] = [];

  constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
  }

  async open(url: string): Promise<void> {
    await this.page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
        console.error(`${effectiveDirective} forbids ${blockedURI} in ${sourceFile}`);
      });
    });
    const response = await this.page.goto(url);
    this.policy = response?.headers()['content-security-policy'] ?? '';
  }

  /** Tells the page that it is hidden, or no longer. It goes on being painted; tabs.ts hides a page for good. */
  async pretendHidden(hidden: boolean): Promise<void> {
    await this.page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      Object.defineProperty(document, 'visibilityState', { value: value ? 'hidden' : 'visible', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  }

  async shown(name: string): Promise<string> {
    return (await this.page.locator('#game').getAttribute(`data-${name}`)) ?? '';
  }

  /** Without members until the night has begun. */
  async person(who: 'mira' | 'old-tam' | 'player'): Promise<Person> {
    return JSON.parse((await this.shown(who)) || '{}') as Person;
  }
}
