#!/usr/bin/env node
// @ts-check
// The package's command. It is there before anything is built: npm links no command whose file is missing, and npx remembers that for good.
import { existsSync } from 'node:fs';

const cli = new URL('../../dist/cli.js', import.meta.url);

if (existsSync(cli)) {
  await import(cli.href);
} else {
  console.error('phaser-aicc is not built yet: run `npm start` here, or `npm install && npm run build`');
  process.exitCode = 1;
}
