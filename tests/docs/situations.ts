import { DocWorld, type DocWorldOptions, settle } from './doc-world.ts';
import { LOSSES } from './losses.ts';
import { Transcript } from './transcript.ts';

export type Situation = (world: DocWorld) => Promise<Transcript>;

const COMMON: { [name: string]: Situation } = {
  async connect(world) {
    const agent = await world.dial(new Transcript(true));
    agent.ask({ character: 'mira', agent_model: { class: 'edge_small' }, event_subscriptions: ['audio', 'agent_message'] });
    await agent.hear();
    return agent.transcript;
  },
  async absent(world) {
    const agent = await world.dial();
    agent.ask({ character: 'tam' });
    await agent.hear();
    agent.ask({ character: 'mira', wait_ms: 5_000 });
    await agent.hearPart(['type']);
    return agent.transcript;
  },
  async heartbeat(world) {
    const agent = await world.open();
    await world.pass(10_000);
    const { message_id } = await agent.hear(1, ['message_id']);
    agent.say('heartbeat', { message_id }, ['message_id']);
    agent.say('heartbeat', {}, ['message_id']);
    await agent.hear(1, ['message_id']);
    return agent.transcript;
  },
  async call(world) {
    const agent = await world.open();
    agent.call('c1', 'look');
    await agent.hear();
    agent.call('c2', 'walk_to', { x: 200, y: 80, hurry: true });
    await world.pass(200);
    await agent.hear(2);
    return agent.transcript;
  },
  async again(world) {
    const agent = await world.open();
    agent.call('c1', 'say', { text: 'Hello!' });
    await agent.hear();
    agent.call('c1', 'say', { text: 'Hello!' });
    await agent.hear();
    agent.call('c1', 'say', { text: 'Goodbye!' });
    await agent.hear();
    return agent.transcript;
  },
  async tool_unknown(world) {
    const agent = await world.open();
    agent.call('c1', 'walkto', { x: 1, y: 1 });
    await agent.hear();
    return agent.transcript;
  },
  async invalid_input(world) {
    const agent = await world.open();
    agent.call('c1', 'walk_to', { x: 'there' });
    await agent.hear();
    agent.say('heartbeat', { mood: 'fine' }, ['message_id']);
    await agent.hear(1, ['message_id']);
    return agent.transcript;
  },
  async tool_unavailable(world) {
    const agent = await world.open();
    agent.call('c1', 'light');
    await agent.hear();
    // Two that are granted, which the transcript need not show.
    const shown = agent.transcript;
    agent.transcript = new Transcript();
    for (const call of ['c2', 'c3']) {
      agent.call(call, 'say', { text: 'Hello!' });
      await agent.hear();
    }
    agent.transcript = shown;
    agent.call('c4', 'say', { text: 'Hello again!' });
    await agent.hear();
    return agent.transcript;
  },
  async execution_failed(world) {
    const agent = await world.open();
    agent.call('c1', 'walk_to', { x: 2_000, y: 80 });
    await agent.hear();
    agent.call('c2', 'walk_to', { x: 600, y: 80 });
    agent.call('c3', 'walk_to', { x: 130, y: 80 });
    await agent.hear();
    return agent.transcript;
  },
  async timeout(world) {
    const agent = await world.open();
    agent.call('c1', 'walk_to', { x: 600, y: 80 });
    await world.pass(5_000);
    await agent.hear();
    return agent.transcript;
  },
  async internal_error(world) {
    const agent = await world.open();
    agent.call('c1', 'hum');
    await agent.hear();
    return agent.transcript;
  },
  async protocol_mismatch(world) {
    const agent = await world.dial(new Transcript(true));
    agent.say('manifest_request', { protocol: 'aicc/2.0' });
    await agent.hear();
    await agent.ended();
    return agent.transcript;
  },
  async session_expired(world) {
    const agent = await world.open();
    agent.say('heartbeat', { session_id: crypto.randomUUID() }, ['session_id', 'message_id']);
    await agent.hear(1, ['message_id']);
    return agent.transcript;
  },
  async cancel(world) {
    const agent = await world.open();
    agent.call('c1', 'walk_to', { x: 600, y: 80 });
    await world.pass(300);
    agent.call('c2', 'cancel_call', { call_id: 'c1' });
    await agent.hear(2);
    return agent.transcript;
  },
  async events(world) {
    const agent = await world.open();
    await settle();
    world.mira.emit('agent_message', { from: 'player', text: 'Follow me!' });
    world.mira.emit('audio', { kind: 'speech', from: 'tam', text: 'Good evening.', distance: 64, bearing: 90, loudness: 0.6 });
    world.mira.emit('collision', { with: 'fence', at: { x: 132, y: 80 }, normal: { x: -1, y: 0 } });
    world.mira.emit('state_change', { kind: 'oil', left: 2 });
    await agent.hear(4);
    return agent.transcript;
  },
  async ticks(world) {
    const agent = await world.dial();
    agent.ask({ character: 'mira', event_subscriptions: ['tick'], agent_model: { class: 'edge_small', expected_full_response_ms: 200 } });
    await agent.hearPart(['type']);
    await agent.hear();
    await world.pass(400);
    await agent.hear(2);
    return agent.transcript;
  },
  async observe(world) {
    const agent = await world.open({ observe: true });
    agent.call('c1', 'say', { text: 'Hello!' });
    await agent.hear();
    return agent.transcript;
  },
  async decision(world) {
    const agent = await world.open();
    const fallback = { tool: 'walk_to', input: { x: 100, y: 80 } };
    const tools = ['walk_to', 'say'];
    await settle();
    const asked = world.mira.ask({ prompt: 'The bridge is gone. What now?', tools, state: { oil: 2 }, deadlineMs: 5_000, fallback });
    await world.pass(100);
    await agent.hearPart(['type']);
    agent.transcript.note('its manifest_update has the tool decide');
    const { payload } = await agent.hear();
    const { ask_id } = payload as { ask_id: string };
    agent.call('c1', 'decide', { ask_id, tool: 'say', input: { text: 'We go round.' } });
    await agent.hear();
    await asked;
    return agent.transcript;
  },
  async approval(world) {
    const agent = await world.open();
    for (const [call, isGranted] of [
      ['c1', true],
      ['c2', false],
    ] as const) {
      world.answers.push(isGranted);
      agent.call(call, 'give', { item: 'oil', to: 'player' });
      agent.transcript.note(isGranted ? 'the player is asked, and grants it' : 'the player is asked, and refuses');
      await agent.hear();
    }
    return agent.transcript;
  },
  async squad(world) {
    const dies = world.addPack();
    const agent = await world.dial();
    agent.ask({ character: 'pack', event_subscriptions: ['tick'] });
    await agent.hearPart(['type']);
    agent.transcript.note('the input_schema of each tool requires "unit"');
    await agent.hear();
    agent.call('c1', 'walk_to', { unit: 'wolf_1', x: 600, y: 80 });
    await settle();
    dies();
    agent.transcript.note('wolf_1 dies; its body comes back as wolf_3');
    await agent.hear();
    agent.call('c2', 'walk_to', { unit: 'wolf_1', x: 600, y: 80 });
    await agent.hear();
    return agent.transcript;
  },
  async gone(world) {
    const agent = await world.open();
    await settle();
    world.mira.unbind();
    agent.transcript.note("the character's body is gone");
    agent.call('c1', 'look');
    await agent.hear();
    world.rebind();
    agent.transcript.note('it has the next one');
    agent.call('c2', 'look');
    await agent.hear();
    return agent.transcript;
  },
  async close(world) {
    const agent = await world.open();
    agent.call('c1', 'walk_to', { x: 600, y: 80 });
    agent.say('session_close', { reason: 'that was all' });
    await agent.hear(2);
    await agent.ended();
    return agent.transcript;
  },
  async spectator(world) {
    const driver = await world.open();
    await settle();
    const agent = await world.dial();
    agent.ask({ character: 'mira', spectate: true });
    await agent.hearPart(['type']);
    agent.transcript.note('another agent drives Mira, who is taken; a villager speaks to her');
    world.mira.emit('agent_message', { from: 'old_tam', text: 'Evening, Mira.' });
    await agent.hear();
    agent.call('c1', 'say', { text: 'Evening, Tam.' });
    await agent.hear();
    driver.say('session_close');
    return agent.transcript;
  },
  async over_for_now(world) {
    const agent = await world.open();
    await settle();
    world.mira.unbind();
    agent.transcript.note('her level is over, and the next has no Mira for 10 s');
    await world.pass(10_000);
    await agent.hear(3);
    await agent.ended();
    return agent.transcript;
  },
  async removed(world) {
    const agent = await world.open();
    await settle();
    world.mira.remove('Mira went home');
    await agent.hear();
    await agent.ended();
    return agent.transcript;
  },
};

/** Every transcript of docs/protocol.md, each from a run of its own. */
const SITUATIONS = { ...COMMON, ...LOSSES };
/** What these need of their world. */
const WORLDS: { [name: string]: DocWorldOptions } = { approval: { contract: true }, relay_killed: { mortal: true } };

/** Runs every situation. @returns the transcripts by name */
export async function runSituations(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [name, situation] of Object.entries(SITUATIONS)) {
    const world = await DocWorld.start(WORLDS[name]);
    try {
      texts.set(name, (await situation(world)).text);
    } catch (error) {
      throw new Error(`the situation "${name}" went wrong: ${(error as Error).message}`);
    } finally {
      await world.close();
    }
  }
  return texts;
}
