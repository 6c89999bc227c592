import type { AgentHandler, AgentPort, OpenRequest, Refusal } from '../../src/bridge/agent-port.ts';
import type { Opener } from '../../src/transport/index.ts';

/** An opener that does what the test says and notes what it was asked. */
export class ScriptedOpener implements Opener {
  readonly requests: (OpenRequest & { world?: string })[] = [];
  readonly ports: AgentPort[] = [];
  readonly heard: unknown[] = [];
  readonly listeners = new Set<() => void>();
  answer: () => Promise<AgentHandler | Refusal> | AgentHandler | Refusal = () => this.session();

  open(request: OpenRequest & { world?: string }, port: AgentPort) {
    this.requests.push(request);
    this.ports.push(port);
    return this.answer();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  change(): void {
    for (const listener of [...this.listeners]) listener();
  }

  session(): AgentHandler {
    return {
      sessionId: '8f14e45f-ceea-467f-a8d0-1c4b5a1f2e30',
      character: 'mira',
      message: (text) => this.heard.push(text),
      refusedCall: (call) => this.heard.push({ refused: call }),
      hold: (held) => this.heard.push({ held }),
      quiet: (quiet) => this.heard.push({ quiet }),
      closed: (clean) => this.heard.push({ closed: clean }),
    };
  }
}
