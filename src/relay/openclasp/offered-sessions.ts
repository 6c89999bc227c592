import type { AgentHandler, AgentPort, Refusal } from '../../bridge/agent-port.ts';
import { AiccError, CLOSE_CODES, isSessionOver } from '../../protocol/index.ts';
import { isRefusal, type Opener, type WorldRequest } from '../../transport/index.ts';

/** What happens in a session under an offer. */
export interface SessionListener {
  started(interactionId: string): void;
  /** One message to the game, or from it. */
  message(interactionId: string, from: 'agent' | 'game', text: string): void;
  /** The game has ended the session and says why. */
  closed(interactionId: string, reason: string): void;
}

interface Held {
  port: AgentPort;
  handler: AgentHandler | undefined;
}

/** Stands between the agents' doors and the games: lets nobody past who needs an offer and has none, and knows who is there under which. */
export class OfferedSessions {
  readonly #listener: SessionListener;
  readonly #required: ReadonlySet<string>;
  /** The character that a request means; undefined: that is not known yet. */
  readonly #characterOf: (request: WorldRequest) => string | undefined;
  readonly #held = new Map<string, Set<Held>>();

  constructor(
    listener: SessionListener,
    { required, characterOf }: { required: readonly string[]; characterOf(request: WorldRequest): string | undefined },
  ) {
    this.#listener = listener;
    this.#required = new Set(required);
    this.#characterOf = characterOf;
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
  }

  #openWithout(inner: Opener, request: WorldRequest, port: AgentPort): Promise<AgentHandler | Refusal> | AgentHandler | Refusal {
    if (this.#required.size === 0) return inner.open(request, port);
    const character = this.#characterOf(request);
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

  async #open(inner: Opener, request: WorldRequest, port: AgentPort): Promise<AgentHandler | Refusal> {
    const interactionId = String(request.contract?.interactionId);
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
        if (isSessionOver(code)) this.#listener.closed(interactionId, reason);
      },
    };
    const answer = await inner.open(request, watched);
    if (isRefusal(answer)) {
      leave();
      return answer;
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
      closed: (clean) => {
        leave();
        answer.closed(clean);
      },
    };
  }
}

function needsOffer(character: string): Refusal {
  const what = `'${character}' is driven under a session offer alone: connect with session_offer and a token, or with the token of an activated one`;
  return { error: new AiccError('tool_unavailable', what, false), absent: false };
}
