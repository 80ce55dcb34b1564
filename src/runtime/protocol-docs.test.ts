import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { protocolSchema, protocolSchemaPath } from '../../scripts/pages/write-protocol-schema.ts';
import {
  ApiCallDecision,
  CoordinatorRequest,
  ToolCallResult,
} from '../contract/wire/coordinator-messages.ts';
import { DEFAULT_LINE_BYTES } from '../platform/text/lines.ts';
import { CAPSULE_LIMITS } from './conversation.ts';
import { messageSchemas } from './parse-message.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/protocol.md'), 'utf8');

/** The lines of every JSON example, under the heading of their message. */
const examples = [...page.matchAll(/^### `(\w+)`$[\s\S]*?```json\n([\s\S]*?)```/gm)].flatMap(
  ([, name = '', lines = '']) =>
    lines
      .trim()
      .split('\n')
      .map((line) => ({ name, line })),
);

const schemas = {
  coordinator_request: CoordinatorRequest,
  tool_call_result: ToolCallResult,
  api_call_decision: ApiCallDecision,
};

describe('docs/protocol.md', () => {
  it.each(examples)('shows a $name that is one: $line', ({ name, line }) => {
    const message = JSON.parse(line);
    expect(message.type).toBe(name);
    const schema = Object.hasOwn(schemas, name)
      ? schemas[name as keyof typeof schemas]
      : messageSchemas.get(name)?.();
    expect(schema?.parse(message)).toMatchObject(message);
  });

  it('shows every message', () => {
    const own = messageSchemas.keys();
    const shown = new Set(examples.map(({ name }) => name));
    expect([...shown].sort()).toEqual([...Object.keys(schemas), ...own].sort());
  });

  it('documents the limits that apply', () => {
    const kib = 1024;
    expect(CAPSULE_LIMITS).toMatchObject({ noiseLines: 100, noiseBytes: 64 * kib, inFlight: 64 });
    expect(CAPSULE_LIMITS).toMatchObject({ progressLines: 1_000, progressBytes: kib * kib });
    expect(DEFAULT_LINE_BYTES).toBe(4 * kib * kib);
    for (const text of [
      '100 lines or 64 KiB',
      'more than 64 intents',
      '1,000 `progress` lines',
      'or 1 MiB',
      '4 MiB',
    ]) {
      expect(page).toContain(text);
    }
  });

  it('shows the Python capsule as it is', () => {
    const source = readFileSync(join(root, 'examples/python-capsule/main.py'), 'utf8');
    expect(page).toContain(`\`\`\`python\n${source}\`\`\``);
  });
});

it('docs/protocol.schema.json is the output of scripts/pages/write-protocol-schema.ts', () => {
  expect(readFileSync(protocolSchemaPath, 'utf8')).toBe(protocolSchema());
});
