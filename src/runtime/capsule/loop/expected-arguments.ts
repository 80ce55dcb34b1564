import type { ToolDescription } from '../../../contract/wire/chat.ts';

const MAX_CHARS = 2_000;

interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** One line that says which arguments a tool takes: `Arguments of read: path (string, required), …`. Empty for an unknown tool. */
export function expectedArguments(tool: ToolDescription | undefined): string {
  if (tool === undefined) return '';
  const { properties, required = [] } = tool.parameters as Schema;
  if (properties === undefined) {
    return `Arguments of ${tool.name}, as JSON Schema: ${JSON.stringify(tool.parameters)}`.slice(
      0,
      MAX_CHARS,
    );
  }
  const parts = Object.entries(properties).map(([name, schema]) => {
    const need = required.includes(name) ? ', required' : '';
    return `${name} (${typeOf(schema)}${need})`;
  });
  return `Arguments of ${tool.name}, one JSON object: ${parts.join(', ')}.`.slice(0, MAX_CHARS);
}

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return typeof schema.type === 'string' ? schema.type : 'see the schema';
}
