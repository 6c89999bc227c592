import { settle } from './doc-world.ts';
import type { Situation } from './situations.ts';

/** Events and connections that are lost, and how an agent goes on. */
export const LOSSES: { [name: string]: Situation } = {
  async dropped(world) {
    const agent = await world.open();
    const said = (text: string) => world.mira.emit('agent_message', { from: 'player', text });
    agent.stop();
    await settle();
    for (; !world.held; await settle()) said('x'.repeat(100_000));
    agent.transcript.note('you stop reading until the connection takes no more; then you are told 300 things more');
    for (let number = 1; number <= 300; number++) said(`This is number ${number}.`);
    agent.goOn();
    agent.transcript.note('you read on: first comes what was on its way, then');
    const next = async () => {
      const { meta, payload, topic, type } = await agent.skip();
      return { meta, payload, topic, type } as { meta: { dropped?: number }; payload: { text: string } };
    };
    let event = await next();
    while (event.payload.text.startsWith('x')) event = await next();
    agent.transcript.addPart('←', { ...event, meta: { dropped: event.meta.dropped } }, ['type', 'topic', 'payload', 'meta']);
    agent.transcript.addPart('←', await next(), ['type', 'topic', 'payload']);
    while (event.payload.text !== 'This is number 300.') event = await next();
    agent.transcript.note('and so on, up to number 300');
    return agent.transcript;
  },
  async relay_killed(world) {
    const agent = await world.open();
    agent.call('c1', 'walk_to', { x: 200, y: 80 });
    await settle();
    agent.transcript.note('the relay is killed');
    await world.killRelay();
    await agent.lost();
    await world.pass(200);
    await world.startRelay();
    const back = await world.dial(agent.transcript);
    back.transcript.note('another relay is started');
    back.ask({ resume: agent.session });
    await back.hear();
    back.transcript.note('the game connects to it by itself');
    await world.joined();
    back.ask({ resume: agent.session });
    await back.hearPart(['type', 'session_id']);
    await back.hear(2);
    return back.transcript;
  },
  async page_reloaded(world) {
    const agent = await world.open({}, world.dialWebSocket());
    agent.call('c1', 'walk_to', { x: 200, y: 80 });
    await settle();
    agent.transcript.note('the page is reloaded');
    await world.reload();
    await agent.ended();
    const back = await world.dialWebSocket(agent.transcript);
    back.ask({ resume: agent.session });
    await back.hear();
    back.ask({ character: 'mira' });
    await back.hearPart(['type', 'session_id']);
    return back.transcript;
  },
  async resume(world) {
    const agent = await world.open();
    agent.call('c1', 'look');
    await agent.hear();
    agent.call('c2', 'walk_to', { x: 200, y: 80 });
    await settle();
    await agent.cut();
    await world.pass(300);
    world.mira.emit('agent_message', { from: 'player', text: 'Are you there?' });
    const back = await world.dial(agent.transcript);
    back.ask({ resume: agent.session, last_seq: 1 });
    await back.hearPart(['type', 'session_id']);
    await back.hear(3);
    return back.transcript;
  },
  async replaced(world) {
    const agent = await world.open();
    agent.call('c1', 'look');
    await agent.hear();
    const other = await world.dial();
    other.ask({ resume: agent.session });
    await agent.hear();
    await agent.ended();
    return agent.transcript;
  },
};
