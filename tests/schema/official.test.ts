import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { compileSchema } from '../../src/schema/index.ts';

interface Group {
  description: string;
  schema: Json;
  tests: { description: string; data: Json; valid: boolean }[];
}

const FOLDER = new URL('official/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const groupsOf = (file: string): Group[] => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));

const ELSEWHERE = 'must be the address of a schema in this document';
/** What is not supported, and so must not compile: by file, then by the groups concerned (default: all), with what the refusal says. */
const UNSUPPORTED: Record<string, { says: string; groups?: string[] }> = {
  // Dynamic scope is for schemas that extend each other; a tool's schema is one document.
  'dynamicRef.json': { says: 'for it is not supported' },
  // Nothing is fetched.
  'refRemote.json': { says: ELSEWHERE },
  // Vocabularies are chosen by a meta-schema of another document.
  'vocabulary.json': { says: '/$schema must be a draft of json-schema.org' },
  // These refer to the meta-schema of the draft, which is another document.
  'anchor.json': { says: ELSEWHERE, groups: ['invalid anchors'] },
  'defs.json': { says: ELSEWHERE, groups: ['validate definition against metaschema'] },
  'id.json': {
    says: ELSEWHERE,
    groups: [
      'Invalid use of fragments in location-independent $id',
      'Valid use of empty fragments in location-independent $id',
      'Unnormalized $ids are allowed but discouraged',
    ],
  },
  'ref.json': { says: ELSEWHERE, groups: ['remote ref, containing refs itself', 'URN base URI with f-component'] },
};

describe('the official test suite of draft 2020-12', () => {
  test('is whole', () => {
    expect(FILES).toHaveLength(48);
    expect(FILES.flatMap(groupsOf).flatMap(({ tests }) => tests).length).toBeGreaterThan(1_100);
  });

  test.each(FILES)('%s', (file) => {
    const { says = '', groups = undefined } = UNSUPPORTED[file] ?? {};
    const all = groupsOf(file);
    const unsupported = all.filter(({ description }) => says !== '' && (groups?.includes(description) ?? true));
    for (const { description, schema } of unsupported) expect(() => compileSchema(schema), description).toThrow(says);
    expect(unsupported.length).toBe(groups?.length ?? (says === '' ? 0 : all.length));
    const wrong: string[] = [];
    for (const group of all.filter((each) => !unsupported.includes(each))) {
      const check = compileSchema(group.schema);
      for (const { description, data, valid } of group.tests) {
        if ((check(data).length === 0) !== valid)
          wrong.push(`${group.description}: ${description} should be ${valid ? 'valid' : 'invalid'}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
