import { isObject } from '../base/json.ts';
import { quoted } from '../base/quoted.ts';
import { type AgentMessage, AiccError, LIMITS } from '../protocol/index.ts';
import type { AgentHandler, AgentPort } from './agent-port.ts';
import { receiveCall, receiveRefusedCall } from './receive-call.ts';
import type { Session } from './session.ts';

/** Gives the session a connection and returns what receives the traffic of it; a connection that another one has replaced is ignored. */
export function attachAgent(session: Session, port: AgentPort, resume?: { lastSeq: number | undefined }): AgentHandler {
  session.attach(port, resume);
  return {
    sessionId: session.id,
    character: session.character.characterId,
    message: (text) => {
      if (session.isOn(port)) receiveMessage(session, text);
    },
    refusedCall: (call) => {
      if (!session.isOn(port)) return;
      session.heardFrom = true;
      receiveRefusedCall(session, call);
    },
    hold: (held) => {
      if (session.isOn(port)) session.outbox.hold(held);
    },
    quiet: (quiet) => {
      if (session.isOn(port)) session.quiet = quiet;
    },
    closed: (clean) => {
      if (session.isOn(port)) session.connectionLost(clean);
    },
  };
}

/** Takes one message of the session's agent (AICC A6, C1, C2). */
function receiveMessage(session: Session, text: string): void {
  const message = parse(text);
  if (message === undefined) return session.sendError(new AiccError('invalid_input', 'a message must be one JSON object'));
  const refuse = (error: AiccError) => session.sendError(error, message.message_id);
  if (message.session_id !== session.id)
    return refuse(new AiccError('session_expired', `session ${message.session_id} is not open on this connection`));
  session.heardFrom = true;
  switch (message.type) {
    case 'tool_call':
      return receiveCall(session, message, text.length);
    case 'heartbeat':
      return session.heartbeats.answer(message.message_id);
    case 'manifest_request':
    case 'session_resume':
      if (session.outbox.held) return refuse(new AiccError('tool_unavailable', 'read what waits on this connection first'));
      if (!session.news.mayRepeat())
        return refuse(
          new AiccError('tool_unavailable', `at most ${LIMITS.manifestRequestsPerSecond} requests a second for the manifest are answered`),
        );
      session.sendInit();
      if (message.type === 'session_resume') session.outbox.repeat(undefined);
      return;
    case 'session_close':
      return session.close(agentsReason(session, message.reason ?? 'the agent closed it'));
  }
}

/** Under a contract a reason may mean how that ended, so what an agent says of its leaving stands as its own words wherever it is told (OpenClasp T13). */
function agentsReason({ engagement }: Session, reason: string): string {
  return engagement === undefined ? reason : `the agent closed it: ${quoted(reason)}`;
}

/** The door has checked the message; this only guards against a relay of another mind. */
function parse(text: string): AgentMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? (value as unknown as AgentMessage) : undefined;
  } catch {
    return undefined;
  }
}
