import type { Capabilities, ToolClass } from '../protocol/index.ts';

/** The reserved capability names by class (AICC G1). */
export const RESERVED_CAPABILITIES: Readonly<Record<ToolClass, readonly string[]>> = {
  sensor: ['vision', 'hearing', 'proprioception', 'inventory', 'map', 'screen'],
  actuator: ['locomotion', 'manipulation', 'combat', 'expression', 'control'],
  generator: ['speech', 'sound', 'image', 'prop'],
};

/** What a tool belongs to when it does not say (AICC G1). */
export const DEFAULT_CAPABILITY: Readonly<Record<ToolClass, string>> = {
  sensor: 'proprioception',
  actuator: 'manipulation',
  generator: 'prop',
};

/** The reserved names that these tools use, each once, in the order of the table above. */
export function capabilitiesOf(tools: readonly { class: ToolClass; capability: string }[]): Capabilities {
  const used = (wanted: ToolClass) =>
    RESERVED_CAPABILITIES[wanted].filter((name) => tools.some((tool) => tool.class === wanted && tool.capability === name));
  return { sensors: used('sensor'), actuators: used('actuator'), generators: used('generator') };
}
