import { type Browser, chromium } from 'playwright';
import { findBrowser } from '../support/find-browser.mjs';

/** For a machine without a GPU, a user without a sandbox, a network without the world. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where the browser is that `npm test` has found or fetched. */
export async function chromiumPath(): Promise<string> {
  return process.env.CHROME_PATH ?? (await findBrowser(() => undefined));
}

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await chromiumPath(), args: [...CHROMIUM_FLAGS] });
}
