/**
 * `phaser-aicc/protocol`: the AICC 0.1 wire for those who speak it themselves: the messages' types, their validation, error codes, close codes,
 * limits, and the framing of TCP. The project's own code imports the files that define these.
 */
export type { Json, JsonObject } from '../base/json.ts';
export { type AgentCheck, checkAgentMessage, isAgentMessage, type RefusedCall } from './agent-message.ts';
export { type BridgeCheck, checkBridgeMessage, isBridgeMessage } from './bridge-message.ts';
export type { ChannelFault } from './channel-fault.ts';
export { CLOSE_CODES } from './close-codes.ts';
export type { ConnectRequest } from './connect.ts';
export { encodeMessage } from './encode.ts';
export { AiccError, ERROR_CODES, type ErrorCode, type ErrorKind } from './errors.ts';
export type { Fault } from './judge.ts';
export { LIMITS } from './limits.ts';
export {
  AGENT_MESSAGE_TYPES,
  type AgentMessage,
  type AiccMessage,
  type BridgeMessage,
  type Capabilities,
  type CatalogueTool,
  type Envelope,
  type ErrorMessage,
  type EventMessage,
  type Heartbeat,
  type Manifest,
  type ManifestRequest,
  type Meta,
  MODEL_CLASSES,
  type ModelClass,
  type ModelDeclaration,
  NIL_UUID,
  PROTOCOL,
  type SessionClose,
  type SessionInit,
  type SessionResume,
  TICK_MODES,
  type TickMode,
  TOOL_CLASSES,
  TOPICS,
  type ToolCall,
  type ToolClass,
  type ToolResult,
  type Topic,
  type WireError,
  WORLD_KINDS,
  type WorldKind,
} from './messages.ts';
export { type Framed, NdjsonFramer } from './ndjson.ts';
export { REASONS, type Reason } from './reasons.ts';
export { validateAicc } from './validate-aicc.ts';
