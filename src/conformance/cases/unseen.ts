import type { Case } from '../case.ts';

const unseen = (rule: string, title: string, why: string): Case => ({ rule, title, unseen: why, run: async () => undefined });

/** What AICC promises and no stranger can judge from a connection: told, so that what was not tried is known. */
export const UNSEEN: Case[] = [
  unseen('C6', 'a relay that dies and comes back, and a game that loses its relay, lose nothing', 'the suite can end neither of them'),
  unseen('C9', 'a connection that falls silent is dropped', 'the suite cannot make a wire fall silent'),
  unseen('D10', 'no call reaches the next life of a pooled body', 'the suite cannot make the units of a squad die and come back'),
  unseen('E2', "barrier 'all' waits for every session", 'for a session that is alone both barriers are the same'),
  unseen('F4', 'a slow agent disturbs no other', 'it takes a second character'),
  unseen('G2', 'a token grants what its tokens file says', 'the suite does not know that file'),
  unseen('H', 'the bounds of the relay', 'to reach them would disturb whoever else is there'),
];
