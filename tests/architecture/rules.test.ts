import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { citedIn, definedIn } from './rule-ids.ts';

const SPEC = ['aicc', 'aicontrol', 'openclasp'].map((name) => `docs/spec/${name}.md`);
const CODE = ['src', 'plugin', 'demo-game'];

/** Text files below a folder that are written by hand; the tests run from the project's root. */
function textsOf(folder: string): [path: string, text: string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(ts|mjs|js|md)$/.test(path) && !path.includes('/generated/') && !SPEC.includes(path))
    .map((path) => [path, readFileSync(path, 'utf8')]);
}

const rules = SPEC.flatMap((path) => definedIn(readFileSync(path, 'utf8')));
const citedBy = (texts: [string, string][]) => new Set(texts.flatMap(([, text]) => citedIn(text)));

describe('the rules of docs/spec', () => {
  test('each id is defined once', () => {
    expect(rules.length).toBeGreaterThan(90);
    expect(rules.filter((id, index) => rules.indexOf(id) !== index)).toEqual([]);
  });

  test('every id that code, tests and docs cite exists', () => {
    const unknown = [...CODE, 'tests', 'docs'].flatMap(textsOf).flatMap(([path, text]) =>
      citedIn(text)
        .filter((id) => !rules.includes(id))
        .map((id) => `${path} cites ${id}`),
    );
    expect([...new Set(unknown)]).toEqual([]);
  });

  test('every rule is cited by the code that keeps it', () => {
    const cited = citedBy(CODE.flatMap(textsOf));
    expect(rules.filter((id) => !cited.has(id))).toEqual([]);
  });

  test('every rule is cited by a test', () => {
    const cited = citedBy(textsOf('tests'));
    expect(rules.filter((id) => !cited.has(id))).toEqual([]);
  });

  test.each([
    ['AICC D7 and T10', ['D7', 'T10']],
    ['(D1–D4)', ['D1', 'D2', 'D3', 'D4']],
    ['E1-E3', ['E1', 'E2', 'E3']],
    ['a D10n, an UTF8, sha T256, %A9 and 0xA1', []],
  ])('citations are found in: %s', (text, ids) => {
    expect(citedIn(text)).toEqual(ids);
  });
});

describe('docs/architecture.md', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');

  test('names every folder', () => {
    const folders = [
      ...readdirSync('src', { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `src/${name}/`),
      ...readdirSync('plugin', { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `plugin/${name}/`),
      ...['plugin/', 'demo-game/', 'assets/', 'tests/', 'docs/'],
    ];
    expect(folders.filter((folder) => !page.includes(`\`${folder}\``))).toEqual([]);
  });

  test('names only files that are there', () => {
    const named = [...page.matchAll(/`((?:src|plugin|tests|docs|demo-game|assets)\/[\w./-]*\.\w+)`/g)].map(([, path]) => path as string);
    const files = new Set([...CODE, 'tests', 'docs', 'assets'].flatMap((folder) => textsOf(folder).map(([path]) => path)));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !files.has(path) && !SPEC.includes(path))).toEqual([]);
  });
});
