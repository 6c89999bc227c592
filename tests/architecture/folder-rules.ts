import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { readImports } from './read-imports.ts';

/** What one folder may reach for, besides itself. */
interface FolderRule {
  folder: string;
  /** Folders (or files) of ours. */
  ours: string[];
  /** Files of ours of which only types may come in: a seam that both sides must know, which leaves nothing at run time. */
  types?: string[];
  /** Packages. */
  packages?: string[];
  /** Files, as a pattern, that may use what Node brings. */
  node?: RegExp;
}

const NOTHING = /$^/;

/** The folder table of the design: who may import whom. The first folder (or script) that fits a file is its own. */
const RULES: FolderRule[] = [
  // Build time only.
  { folder: 'src/protocol/build-validators', ours: [], packages: ['ajv'], node: /./ },
  { folder: 'src/base', ours: [] },
  { folder: 'src/protocol', ours: ['src/base'] },
  { folder: 'src/schema', ours: ['src/base'] },
  // The door opens sessions at a bridge that it knows by its seam alone.
  {
    folder: 'src/transport',
    ours: ['src/base', 'src/protocol'],
    types: ['src/bridge/agent-port.ts'],
    packages: ['ws'],
    node: /^src\/transport\/(node.*|tcp|cork)\.ts$/,
  },
  {
    folder: 'src/contract',
    ours: ['src/base', 'src/protocol'],
    types: ['src/bridge/policy.ts'],
    packages: ['canonicalize'],
    // Offers are judged in the relay; the game's part runs in a browser.
    node: /^src\/contract\/(node|ed25519|signed|key-registry|bearer-token|judge-.*)\.ts$/,
  },
  {
    folder: 'src/bridge',
    ours: ['src/base', 'src/protocol', 'src/schema'],
    types: ['src/transport/channel.ts'],
    packages: ['json-schema-to-ts'],
  },
  // It tests all the rest from outside, so of the rest it may know nothing but how a message looks.
  { folder: 'src/conformance', ours: ['src/protocol/aicc.schema.json'], packages: ['ajv', 'ws'], node: /./ },
  {
    folder: 'src/relay',
    // The command line tells its version and runs the conformance suite.
    ours: ['src/base', 'src/protocol', 'src/transport', 'src/contract', 'src/agent', 'src/conformance', 'package.json'],
    // Like the door: the relay stands between the door and a bridge that lives elsewhere.
    types: ['src/bridge/agent-port.ts'],
    packages: ['ws', 'mrmime'],
    node: /./,
  },
  {
    folder: 'src/agent',
    ours: ['src/base', 'src/protocol', 'src/transport'],
    packages: ['mitt', 'ws'],
    node: /^src\/agent\/(node|.*-node|aicontrol\/.*)\.ts$/,
  },
  { folder: 'src/brain', ours: ['src/base', 'src/agent', 'src/protocol', 'src/transport'], packages: ['mistreevous'] },
  { folder: 'src/trace', ours: ['src/protocol'] },
  { folder: 'src/headless', ours: [], packages: ['phaser'] },
  {
    folder: 'plugin',
    ours: ['src/base', 'src/bridge', 'src/protocol', 'src/contract', 'src/transport'],
    // A brain brings the agent's side along; a game without one must not ship it.
    types: ['src/agent/index.ts', 'src/agent/brain.ts'],
    packages: ['phaser', 'json-schema-to-ts'],
  },
  // `npm start` runs before anything is installed: only what Node brings.
  { folder: 'demo-game/start', ours: [], node: /./ },
  { folder: 'demo-game/contract', ours: ['demo-game/start'], node: /./ },
  { folder: 'demo-game', ours: ['assets'], packages: ['phaser', 'phaser-aicc'] },
];

/** Every file here belongs to a folder of the table. */
export const WALKED = ['src', 'plugin', 'demo-game'];

/** The faults of one file, each as `path:line what`. `path` is relative to the project, with slashes. */
export function faultsOf(path: string, text: string): string[] {
  const rule = RULES.find(({ folder }) => path.startsWith(`${folder}/`) || path === `${folder}.mjs`);
  if (!rule) return [`${path}:1 is in no folder of the table: add a rule`];
  const { imports, faults } = readImports(path, text);
  const problems = faults.map(({ line, fault }) => `${path}:${line} has a forbidden ${fault}`);
  for (const { line, specifier, typeOnly } of imports) {
    const why = whyForbidden(rule, path, specifier, typeOnly);
    if (why) problems.push(`${path}:${line} imports '${specifier}': ${why}`);
  }
  return problems;
}

function whyForbidden(rule: FolderRule, path: string, specifier: string, typeOnly: boolean): string | undefined {
  if (isBuiltin(specifier)) return (rule.node ?? NOTHING).test(path) ? undefined : 'this file must run in a browser';
  if (!specifier.startsWith('.')) {
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    return rule.packages?.includes(name) ? undefined : `${rule.folder} may not use this package`;
  }
  const target = posix.join(posix.dirname(path), specifier);
  const allowed = [rule.folder, ...rule.ours].some((place) => target === place || target.startsWith(`${place}/`));
  if (allowed) return undefined;
  if (rule.types?.includes(target)) return typeOnly ? undefined : 'only its types may come in';
  return `${rule.folder} may not import from there`;
}
