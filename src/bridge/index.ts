export type { AgentHandler, AgentPort, OpenRequest, Refusal } from './agent-port.ts';
export { type Bridge, type BridgeOptions, createBridge } from './bridge.ts';
export type { CharacterOptions, CharacterSlot, Driver, GameTopic } from './character.ts';
export type { Decided, Decision, Question } from './decisions.ts';
export { ManualClock } from './manual-clock.ts';
export type { ApprovalRequest, Approve, Policy, ToolFacts } from './policy.ts';
export { seededRandom } from './random.ts';
export { type DefineTool, defineTool, type OnBusy, type Tool, ToolError, type ToolInput, type ToolSpec } from './tool.ts';
export type { Caller, ToolContext } from './tool-context.ts';
