import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  ApiCallDecision,
  CoordinatorRequest,
  ToolCallResult,
} from '../../src/contract/wire/coordinator-messages.ts';
import {
  AgentResponse,
  apiCallIntent,
  PROTOCOL_VERSION,
  Progress,
  ToolCallIntent,
} from '../../src/contract/wire/protocol.ts';

const messages = {
  coordinator_request: CoordinatorRequest,
  tool_call_intent: ToolCallIntent,
  tool_call_result: ToolCallResult,
  api_call_intent: apiCallIntent(),
  api_call_decision: ApiCallDecision,
  agent_response: AgentResponse,
  progress: Progress,
};

const oneOf = (...names: (keyof typeof messages)[]) => ({
  oneOf: names.map((name) => ({ $ref: `#/$defs/${name}` })),
});

/** The wire protocol as one JSON Schema for writers: fields with a default may be omitted. */
export function protocolSchema(): string {
  const defs = Object.entries(messages).map(([name, schema]) => {
    const { $schema: _, ...body } = z.toJSONSchema(schema, { io: 'input' });
    return [name, body];
  });
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Capstan wire protocol ${PROTOCOL_VERSION}`,
    description: 'One message is one line of JSON. docs/protocol.md describes their use.',
    ...oneOf(...(Object.keys(messages) as (keyof typeof messages)[])),
    $defs: {
      from_capsule: oneOf('tool_call_intent', 'api_call_intent', 'progress', 'agent_response'),
      to_capsule: oneOf('coordinator_request', 'tool_call_result', 'api_call_decision'),
      ...Object.fromEntries(defs),
    },
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

export const protocolSchemaPath = join(import.meta.dirname, '../../docs/protocol.schema.json');

if (process.argv[1] === import.meta.filename) writeFileSync(protocolSchemaPath, protocolSchema());
