export { type AgentCheck, checkAgentMessage, checkAgentValue, isAgentMessage, type RefusedCall } from './agent-message.ts';
export { checkBridgeMessage, checkBridgeValue, isBridgeMessage } from './bridge-message.ts';
export { callContent } from './call-content.ts';
export type { ChannelFault } from './channel-fault.ts';
export { CLOSE_CODES, isSessionOver } from './close-codes.ts';
export { type ConnectCheck, type ConnectRequest, checkConnect, connectFromQuery, isConnectLine } from './connect.ts';
export { encodeMessage, errorMessage } from './encode.ts';
export { AiccError, ERROR_CODES, type ErrorCode } from './errors.ts';
export {
  type CharacterInfo,
  checkGameToRelay,
  checkRelayToGame,
  type GameToRelay,
  type LinkedSession,
  type OpenRequest,
  type RelayToGame,
} from './game-link.ts';
export { LIMITS } from './limits.ts';
export { fitsMessage, isWithinDepth, utf8Bytes } from './message-size.ts';
export {
  AGENT_MESSAGE_TYPES,
  type AgentMessage,
  type AiccMessage,
  type BridgeMessage,
  type Capabilities,
  type CatalogueTool,
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
export { parseMessage } from './parse.ts';
export { REASONS, type Reason } from './reasons.ts';
export { describeSchemaError, type SchemaError } from './schema-error.ts';
export { validateAicc } from './validate-aicc.ts';
