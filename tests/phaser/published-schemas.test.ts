import '../../src/headless/install.ts';
import type * as Phaser from 'phaser';
import { aiccOf } from 'phaser-aicc';
import type { CatalogueTool, Json } from 'phaser-aicc/agent';
import { body, controls, face, interact, moveTo, say, stop, vision } from 'phaser-aicc/kit';
import { expect, test } from 'vitest';
import { agentAt } from '../fixtures/event-game.ts';
import { playNight } from './demo-night.ts';
import { agentOf, play, someone } from './play.ts';

/** What models and their providers miss in a schema, at every level. */
function gaps(schema: Json | undefined, at: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((each, index) => gaps(each, `${at}/${index}`));
  if (typeof schema !== 'object' || schema === null) return [];
  const found: string[] = [];
  if (('enum' in schema || 'const' in schema) && schema.type === undefined) found.push(`${at} has no type`);
  const { properties = {}, ...rest } = schema;
  for (const [name, part] of Object.entries(properties as { [name: string]: Json })) {
    if (typeof (part as { description?: Json }).description !== 'string') found.push(`${at}/properties/${name} has no description`);
    found.push(...gaps(part, `${at}/properties/${name}`));
  }
  return [...found, ...Object.entries(rest).flatMap(([keyword, part]) => (keyword === 'enum' ? [] : gaps(part, `${at}/${keyword}`)))];
}

const gapsOf = (tools: readonly CatalogueTool[]) =>
  tools.flatMap(({ id, input_schema, output_schema }) => [
    ...(input_schema.type === 'object' ? [] : [`${id} has an input without type`]),
    ...gaps(input_schema, `${id} input`),
    ...gaps(output_schema, `${id} output`),
  ]);

test('B2: every schema of the kit and of the built-in tools has types and descriptions', async () => {
  const key = { onDown() {}, onUp() {} } as unknown as Phaser.Input.Keyboard.Key;
  const actions = { light: { description: 'Light it.', run: () => undefined } };
  const state = () => ({ gold: 1 });
  const headless = await play((scene) => {
    const tools = [vision(), body({ state }), moveTo(), stop(), face(), say(), interact({ actions }), controls({ jump: key })];
    const character = aiccOf(scene).character('all', scene.add.sprite(1, 1, '__WHITE'), { ...someone, tools });
    const gone = () => undefined;
    character.ask({ prompt: '?', tools: ['stop'], deadlineMs: 0, fallback: { tool: 'stop', input: {} } }).catch(gone);
  });
  const { tools } = await agentOf(headless);
  expect(tools.map(({ id }) => id)).toEqual(expect.arrayContaining(['vision', 'interact', 'controls', 'cancel_call', 'decide']));
  expect(gapsOf(tools)).toEqual([]);
  headless.destroy();
});

test('B2: so has every schema of the demo', async () => {
  const { headless } = await playNight('schemas', false);
  for (const character of ['mira', 'old_tam']) {
    const { tools } = await agentAt(headless.game, { character });
    expect(gapsOf(tools)).toEqual([]);
  }
  headless.destroy();
});
