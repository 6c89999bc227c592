import { expect, test } from 'vitest';
import { connectAiControl } from '../../src/agent/aicontrol/index.ts';
import { defineTool } from '../../src/bridge/index.ts';
import { driverToken } from './site.ts';
import { AT, localOffer } from './vectors.ts';
import { TOOLS, village } from './village.ts';

const offer = () => ({ sessionOffer: localOffer({ humanApprovalRequirements: ['diary'] }), token: driverToken() });

async function driven() {
  const diary = defineTool({ id: 'diary', class: 'sensor', description: 'diary', snapshot: true, run: () => ({ page: 'dear diary' }) });
  const there = await village(AT, {}, { aicontrol: { character: 'mira', port: 0, offer: offer() } }, [...TOOLS, diary]);
  const client = await connectAiControl({ port: there.relay.aicontrolPort as number, timeoutMs: 20_000 });
  await expect.poll(async () => (await client.observe()).observation.ready).toBe(true);
  return { ...there, client };
}

test('T9: under a contract a forbidden command is unavailable, with the reason, and one that is none is unknown', async () => {
  const { client } = await driven();
  const { observation } = await client.observe();
  expect(observation.availableActions.map(({ type }) => type)).toEqual(['move_to']);
  expect(await client.perform({ type: 'attack' })).toMatchObject({
    success: false,
    code: 'tool_unavailable',
    message: "the contract prohibits 'attack'",
  });
  for (const type of ['dance', 'look', 'Attack!', '__proto__', 'constructor'])
    expect(await client.perform({ type })).toMatchObject({ success: false, code: 'tool_unknown' });
  expect(await client.perform({ type: 'move_to' })).toMatchObject({ success: true });
  client.close();
});

test('T11, E4: a sensor that needs approval is left out of what it observes', async () => {
  const { client } = await driven();
  const text = JSON.stringify((await client.observe()).observation);
  expect(text).not.toContain('dear diary');
  expect(JSON.parse(text)).toMatchObject({ omitted: ['diary'] });
  client.close();
});
