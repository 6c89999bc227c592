import type { AgentHandler, AgentPort, Refusal } from '../../bridge/agent-port.ts';
import { AiccError, CLOSE_CODES } from '../../protocol/index.ts';
import { isRefusal, type Opener, type WorldRequest } from '../../transport/index.ts';
import type { Interaction } from './interactions.ts';

/** What happens in a session under an offer. */
export interface SessionListener {
  started(interactionId: string): void;
  /** The public keys that a session stands on are these now; none: it is over. */
  presented(interactionId: string, sessionId: string, presenters: readonly string[]): void;
  /** One message to the game, or from it. */
  message(interactionId: string, from: 'agent' | 'game', text: string): void;
}

export interface OfferedSessionsOptions {
  /** Characters that are driven under an offer alone. */
  required: readonly string[];
  /** The character that a request means; undefined: that is not known yet. */
  characterOf(request: WorldRequest): string | undefined;
  /** Why nobody may come with this key for the interaction now, though they once might. */
  whyNot(interactionId: string, presenter: string | undefined): string | undefined;
}

interface Held {
  port: AgentPort;
  handler: AgentHandler | undefined;
}

/** A session under an offer, whether its agent is there or not. */
interface Known {
  readonly interactionId: string;
  /** The public keys that opened it and took it up again. */
  readonly presenters: Set<string>;
  /** Why nobody may take it up again. */
  revoked?: string;
}

/** Sessions of games that went without a word are forgotten in the end. */
const MOST_KNOWN = 16_384;

/** Stands between the agents' doors and the games: lets nobody past who needs an offer and has none, and knows who is there under which. */
export class OfferedSessions {
  readonly #listener: SessionListener;
  readonly #required: ReadonlySet<string>;
  readonly #options: OfferedSessionsOptions;
  readonly #held = new Map<string, Set<Held>>();
  /** By session id. */
  readonly #known = new Map<string, Known>();

  constructor(listener: SessionListener, options: OfferedSessionsOptions) {
    this.#listener = listener;
    this.#options = options;
    this.#required = new Set(options.required);
  }

  /** What a restart left: sessions that may be taken up again, and the keys that they stand on. */
  begin(interactions: Iterable<Pick<Interaction, 'interactionId' | 'presenters'>>): void {
    for (const { interactionId, presenters = {} } of interactions)
      for (const [id, keys] of Object.entries(presenters)) this.#known.set(id, { interactionId, presenters: new Set(keys) });
  }

  /** The same opener behind the rule that `--require-offer` makes. */
  around(inner: Opener): Opener {
    return {
      open: (request, port) =>
        request.contract === undefined ? this.#openWithout(inner, request, port) : this.#open(inner, request, port),
      onChange: (listener) => inner.onChange(listener),
    };
  }

  /** Ends every session of an interaction, in the game too. */
  end(interactionId: string, reason: string): void {
    for (const { handler, port } of [...(this.#held.get(interactionId) ?? [])]) {
      handler?.closed(true);
      port.close(CLOSE_CODES.policyViolation, reason);
    }
    this.#held.delete(interactionId);
    for (const [id, known] of this.#known) if (known.interactionId === interactionId) this.#known.delete(id);
  }

  /**
   * Ends the sessions that a key opened which counts no more (T8).
   * @param isWithdrawn whether it does not, for the interaction
   * @returns the ids of all of them: in their games those without an agent must end too
   */
  revoke(isWithdrawn: (interactionId: string, presenter: string) => boolean, reason: string): string[] {
    const ended = [...this.#known].filter(
      ([, { interactionId, presenters, revoked }]) =>
        revoked === undefined && [...presenters].some((each) => isWithdrawn(interactionId, each)),
    );
    for (const [sessionId, known] of ended) {
      known.revoked = reason;
      for (const { handler, port } of [...(this.#held.get(known.interactionId) ?? [])]) {
        if (handler?.sessionId !== sessionId) continue;
        handler.closed(true);
        port.close(CLOSE_CODES.policyViolation, reason);
      }
    }
    return ended.map(([sessionId]) => sessionId);
  }

  /** The interaction's sessions that must not go on, by their ids, each with why. */
  revoked(interactionId: string): Map<string, string> {
    const found = new Map<string, string>();
    for (const [id, known] of this.#known) if (known.interactionId === interactionId && known.revoked) found.set(id, known.revoked);
    return found;
  }

  sessionOver(sessionId: string): void {
    const known = this.#known.get(sessionId);
    this.#known.delete(sessionId);
    if (known !== undefined && known.presenters.size > 0) this.#listener.presented(known.interactionId, sessionId, []);
  }

  #openWithout(inner: Opener, request: WorldRequest, port: AgentPort): Promise<AgentHandler | Refusal> | AgentHandler | Refusal {
    if (this.#required.size === 0) return inner.open(request, port);
    const character = this.#options.characterOf(request);
    if (character !== undefined && this.#required.has(character)) return needsOffer(character);
    return this.#openUnseen(inner, request, port);
  }

  /** Whose session is taken up again the game alone knows: until it says so, nothing of it is passed on. */
  async #openUnseen(inner: Opener, request: WorldRequest, port: AgentPort): Promise<AgentHandler | Refusal> {
    let early: string[] | undefined = [];
    const send = (text: string) => {
      if (early === undefined) port.send(text);
      else early.push(text);
    };
    const answer = await inner.open(request, { send, close: (code, reason) => port.close(code, reason) });
    if (!isRefusal(answer) && this.#required.has(answer.character)) {
      answer.closed(false);
      return needsOffer(answer.character);
    }
    const waiting = early;
    early = undefined;
    for (const text of waiting) port.send(text);
    return answer;
  }

  async #open(inner: Opener, { presenter, ...request }: WorldRequest, port: AgentPort): Promise<AgentHandler | Refusal> {
    const interactionId = String(request.contract?.interactionId);
    // Whoever waited for a character was judged before that.
    const tooLate = this.#options.whyNot(interactionId, presenter);
    if (tooLate !== undefined) return over(tooLate);
    const held: Held = { port, handler: undefined };
    const sessions = this.#held.get(interactionId) ?? new Set();
    this.#held.set(interactionId, sessions.add(held));
    const leave = () => {
      sessions.delete(held);
      if (sessions.size === 0 && this.#held.get(interactionId) === sessions) this.#held.delete(interactionId);
    };
    const watched: AgentPort = {
      send: (text) => {
        this.#listener.message(interactionId, 'game', text);
        port.send(text);
      },
      close: (code, reason) => {
        leave();
        port.close(code, reason);
      },
    };
    const answer = await inner.open(request, watched);
    if (isRefusal(answer)) {
      leave();
      return answer;
    }
    const revoked = this.#opened(answer.sessionId, interactionId, presenter);
    if (revoked !== undefined) {
      leave();
      answer.closed(true);
      return over(revoked);
    }
    held.handler = answer;
    this.#listener.started(interactionId);
    return {
      sessionId: answer.sessionId,
      character: answer.character,
      message: (text) => {
        this.#listener.message(interactionId, 'agent', text);
        answer.message(text);
      },
      refusedCall: (call) => answer.refusedCall(call),
      hold: (isHeld) => answer.hold(isHeld),
      quiet: (isQuiet) => answer.quiet(isQuiet),
      closed: (clean) => {
        leave();
        answer.closed(clean);
      },
    };
  }

  /** @returns why it must not go on */
  #opened(sessionId: string, interactionId: string, presenter: string | undefined): string | undefined {
    const known = this.#known.get(sessionId) ?? { interactionId, presenters: new Set() };
    this.#known.set(sessionId, known);
    if (presenter !== undefined && !known.presenters.has(presenter)) {
      known.presenters.add(presenter);
      this.#listener.presented(interactionId, sessionId, [...known.presenters]);
    }
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return known.revoked ?? this.#options.whyNot(interactionId, presenter);
  }
}

const over = (reason: string): Refusal => ({ error: new AiccError('session_expired', reason), absent: false });

function needsOffer(character: string): Refusal {
  const what = `'${character}' is driven under a session offer alone: connect with session_offer and a token, or with the token of an activated one`;
  return { error: new AiccError('tool_unavailable', what, false), absent: false };
}
