import type { Agent } from '../agent.ts';
import type { JsonObject, ToolEntry } from '../messages.ts';
import type { Site } from '../site.ts';

/** A mind that wants every tick (AICC E5). */
export const QUICK = { class: 'edge_small', expected_full_response_ms: 0 };
/** And one that wants hardly any. */
export const SLOW = { class: 'cloud_large', expected_full_response_ms: 3_600_000 };

export function openTicking(site: Site, agent_model: JsonObject): Promise<Agent> {
  return site.open({ event_subscriptions: ['tick'], agent_model });
}

/** Sensors that can be called by anybody at any time. */
export function easySensors(site: Site): ToolEntry[] {
  const needsInput = ({ required }: JsonObject) => Array.isArray(required) && required.length > 0;
  return site.init.tools.filter((tool) => tool.class === 'sensor' && !needsInput(tool.input_schema));
}
