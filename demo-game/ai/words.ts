/** What somebody may want from Mira, as far as she understands. */
export type Wish = 'hello' | 'follow' | 'wait' | 'light' | 'oil' | 'give' | 'where' | 'time' | 'help' | 'thanks' | 'notes' | 'unknown';

const meanings: readonly [Wish, RegExp][] = [
  ['notes', /\b(notes?|noted|notebook)\b/],
  ['follow', /\b(follow|come|with me|this way|beside me)\b/],
  ['wait', /\b(wait|stop|stay|halt|hold on|don'?t move)\b/],
  ['give', /\b(give|hand (it|me)|pass|to me|i need oil)\b/],
  ['where', /\b(where|which way|find me)\b/],
  ['oil', /\b(oil|flasks?|fetch|bring|bottle)\b/],
  ['light', /\b(light|lanterns?|lamps?|burn|go|work|continue|carry on|start)\b/],
  ['time', /\b(time|dawn|sun|how long|late|morning)\b/],
  ['help', /\b(help|what can you|commands?|how)\b/],
  ['thanks', /\b(thanks?|thank you|well done|great|good|nice|bravo)\b/],
  ['hello', /\b(hello|hi|hey|good evening|greetings|mira)\b/],
];

/** The first meaning that fits. */
export function understand(text: string): Wish {
  const words = text.toLowerCase();
  return meanings.find(([, pattern]) => pattern.test(words))?.[0] ?? 'unknown';
}

const compass = ['east', 'south-east', 'south', 'south-west', 'west', 'north-west', 'north', 'north-east'];

/** `north-west`, seen from a place. */
export function direction(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const eighth = Math.round(Math.atan2(to.y - from.y, to.x - from.x) / (Math.PI / 4));
  return compass[(eighth + 8) % 8] ?? 'somewhere';
}
