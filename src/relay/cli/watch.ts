import { TOPICS, type Topic } from '../../protocol/index.ts';
import type { Command, Given } from './command.ts';
import { interruption, line, UsageError } from './io.ts';
import { DRIVE_HELP, DRIVE_OPTIONS, openFrom, TIMEOUT_HELP, tellOfLosses } from './reach.ts';

/** An offer is for driving. */
const { offer: _, ...OPTIONS } = DRIVE_OPTIONS;
const WATCH_HELP = DRIVE_HELP.replace(/^ {2}--offer .*\n/m, '');

export const watch: Command = {
  summary: 'print what a character hears and feels',
  help: `aicc watch [options]
Prints a character's events until Ctrl-C, with --json one JSON object a line.
It takes no control: whoever drives the character goes on.

  --topics LIST      of ${TOPICS.join(',')}; default: all but tick
${TIMEOUT_HELP}
${WATCH_HELP}`,
  options: { ...OPTIONS, topics: { type: 'string' } },
  async run(given, io) {
    given.expectWords();
    const topics = readTopics(given);
    const session = await openFrom(given, io, topics, { spectate: true });
    tellOfLosses(session, (text) => line(io.stderr, `aicc watch: ${text}`));
    // Nothing may happen for a long time.
    line(io.stderr, `aicc watch: watching ${given.text('character') ?? 'the default character'} of ${session.world.name} until Ctrl-C`);
    const show = (topic: Topic, payload: object, meta: object) => {
      line(io.stdout, given.flag('json') ? JSON.stringify({ topic, payload, meta }) : `${topic} ${JSON.stringify(payload)}`);
    };
    for (const topic of topics) session.on(topic, (payload: object, meta: object) => show(topic, payload, meta));
    session.on('error', (error) => line(io.stderr, `aicc watch: ${error.message}`));
    const stopped = await Promise.race([interruption(io), session.closed]);
    await session.close();
    if (stopped === undefined) return 0;
    throw new Error(`the session is over (${stopped.code}${stopped.reason && `, ${stopped.reason}`})`);
  },
};

function readTopics(given: Given): Topic[] {
  const text = given.text('topics');
  if (text === undefined) return TOPICS.filter((topic) => topic !== 'tick');
  return text.split(',').map((name) => {
    const topic = TOPICS.find((each) => each === name.trim());
    if (topic === undefined) throw new UsageError(`--topics knows ${TOPICS.join(', ')}, not "${name}"`);
    return topic;
  });
}
