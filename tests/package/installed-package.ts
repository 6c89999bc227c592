import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { makeReady } from '../../demo-game/start/make-ready.mjs';

const run = promisify(execFile);
const BRIEF = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock', '--no-update-notifier'];

/** A project of somebody else's, made in a temporary folder, that has installed this package from its tarball. */
export interface Consumer {
  dir: string;
  /** The files of the tarball. */
  packed: string[];
  /** What npm said when it was installed. */
  told: string;
  /** Writes a file of the project. */
  write(name: string, text: string): void;
  /** Runs Node in it and gives what it printed. */
  node(...args: string[]): Promise<string>;
  /** Runs an installed command by npx and gives what it printed. */
  npx(...args: string[]): Promise<string>;
  /** Checks its TypeScript files, together with this package's types, and gives the complaints. */
  typeCheck(files: string[], options: ts.CompilerOptions): string[];
  remove(): void;
}

/** Builds, packs and installs the package into an empty project. Slow: once for a file of tests. */
export async function installPackage(): Promise<Consumer> {
  await makeReady('all', () => {});
  const dir = mkdtempSync(join(tmpdir(), 'phaser-aicc-consumer-'));
  const { stdout } = await npm(process.cwd(), 'pack', '--json', '--ignore-scripts', '--pack-destination', dir);
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const { phaser } = JSON.parse(readFileSync('package.json', 'utf8')).devDependencies;
  const write = (name: string, text: string) => {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    writeFileSync(join(dir, name), text);
  };
  write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const installed = await npm(dir, 'install', ...BRIEF, join(dir, filename), `phaser@${phaser}`);
  write('no-browser.mjs', shimForPhaser());
  return {
    dir,
    packed: files.map(({ path }) => path),
    told: installed.stdout + installed.stderr,
    write,
    node: async (...args) => (await run(process.execPath, args, { cwd: dir, env: ownEnv() })).stdout,
    npx: async (...args) => (await npm(dir, 'exec', '--offline', '--', ...args)).stdout,
    typeCheck: (names, options) => typeCheck(dir, names, options),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** `npm test` tells its children where they are and what runs them; another project's npm and commands must not hear it. */
function ownEnv() {
  const told = /^(npm_(config_local_prefix|package|lifecycle|command)|INIT_CWD)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !told.test(name)));
}

/** npm in a folder, as its owner would call it. */
export function npm(cwd: string, ...args: string[]) {
  return run('npm', args, { cwd, env: ownEnv(), shell: process.platform === 'win32', maxBuffer: 16 * 1_048_576 });
}

/** Asks about each file by itself: Phaser's types, which pass no strict check and take most of the time, are only read. */
function typeCheck(dir: string, names: string[], options: ts.CompilerOptions): string[] {
  const strict = {
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    types: [],
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  };
  const program = ts.createProgram(
    names.map((name) => join(dir, name)),
    { ...strict, ...options },
  );
  const checked = program
    .getSourceFiles()
    .filter(({ fileName }) => names.includes(basename(fileName)) || fileName.includes('/phaser-aicc/dist/'));
  const complaints = [
    ...program.getOptionsDiagnostics(),
    ...checked.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  return complaints.map(({ file, start, messageText }) => {
    const line = file ? `${basename(file.fileName)}:${file.getLineAndCharacterOfPosition(start ?? 0).line + 1} ` : '';
    return line + ts.flattenDiagnosticMessageText(messageText, ' ');
  });
}

/** Phaser asks for a browser as soon as it is loaded. */
function shimForPhaser(): string {
  const source = readFileSync('src/headless/shim.ts', 'utf8');
  const { outputText } = ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } });
  return `${outputText}\ninstallShim();\n`;
}
