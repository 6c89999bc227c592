import * as protocol from 'phaser-aicc/protocol';
import { expect, test } from 'vitest';

test('phaser-aicc/protocol exports what speakers of the wire need, and no tool of our own', () => {
  expect(Object.keys(protocol).sort()).toEqual([
    'AGENT_MESSAGE_TYPES',
    'AiccError',
    'CLOSE_CODES',
    'ERROR_CODES',
    'LIMITS',
    'MODEL_CLASSES',
    'NIL_UUID',
    'NdjsonFramer',
    'PROTOCOL',
    'REASONS',
    'TICK_MODES',
    'TOOL_CLASSES',
    'TOPICS',
    'WORLD_KINDS',
    'checkAgentMessage',
    'checkBridgeMessage',
    'encodeMessage',
    'isAgentMessage',
    'isBridgeMessage',
    'validateAicc',
  ]);
});
