import type { ChannelBrain } from '../../src/agent/brain.ts';
import type { Brain } from '../../src/brain/index.ts';
import type { Channel } from '../../src/transport/index.ts';

/** Lets a brain drive as the plugin does. @returns the way to stop it */
export function driveOver(brain: Brain, channel: Channel, report: (thrown: unknown) => void): () => void {
  return (brain as ChannelBrain).driveOver(channel, report);
}
