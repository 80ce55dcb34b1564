import type * as z from 'zod';
import { issueLine } from '../../contract/text/issue-line.ts';
import type { ToolDescription } from '../../contract/wire/chat.ts';
import { oncePer } from '../../platform/once.ts';

/** What a grant leaves of a tool. */
export interface Cut {
  /** Default: the tool's own. */
  readonly description?: string;
  /** Arguments that can't be used. */
  readonly leaveOut?: readonly string[];
  /** The remaining values of an argument. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Descriptions of arguments that replace the schema's. */
  readonly texts?: Readonly<Record<string, string>>;
}

type Schema = Record<string, unknown>;

/** The description of a tool for a model: only the arguments and values that the grant allows, without bounds. */
export function offerTool(tool: ToolDescription, cut: Cut, limits = ''): ToolDescription {
  const { leaveOut = [], choices = {}, texts = {} } = cut;
  const properties = Object.entries((tool.parameters['properties'] ?? {}) as Record<string, Schema>)
    // An argument whose only value is its default is left out, too.
    .filter(([name, schema]) => {
      const values = choices[name];
      const isFixed = values?.length === 1 && values[0] === schema['default'];
      return !leaveOut.includes(name) && !isFixed;
    })
    .map(([name, schema]) => [
      name,
      {
        ...shownSchema(schema),
        ...(choices[name] && { enum: choices[name] }),
        ...(texts[name] !== undefined && { description: texts[name] }),
      },
    ]);
  return {
    name: tool.name,
    description: [cut.description ?? tool.description, limits].filter(Boolean).join(' '),
    parameters: { ...tool.parameters, properties: Object.fromEntries(properties) },
  };
}

/** Bounds that models hardly reach. The tool checks them. */
const BOUNDS = new Set([
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'prefixItems', 'propertyNames'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]);

const shownSchema = oncePer((schema: Schema) => withoutBounds(schema) as Schema);

function withoutBounds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutBounds);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !BOUNDS.has(key) && !isEmptyDefault(key, value))
      .map(([key, value]) => [key, withoutBounds(value)]),
  );
}

const isEmptyDefault = (key: string, value: unknown): boolean =>
  key === 'default' && ['false', '{}', '[]'].includes(JSON.stringify(value));

/** What is wrong with the arguments, in terms of the offered ones. Ends with a list of these. */
export function argumentIssues(
  { issues }: z.ZodError,
  args: unknown,
  cut: Cut,
  offered: ToolDescription,
): string {
  const refused = refusedValues(args, cut);
  const shown = refused.length > 0 ? refused : issues.map((issue) => inOffer(issue, cut));
  return `${issueLine({ issues: shown })}. It takes: ${argumentsOf(offered)}.`;
}

function refusedValues(args: unknown, { leaveOut = [], choices = {} }: Cut): z.core.$ZodIssue[] {
  const given = typeof args === 'object' && args !== null ? (args as Schema) : {};
  const unused = leaveOut
    .filter((name) => given[name] !== undefined)
    .map((name) => issue(name, 'is not granted; leave it out'));
  const others = Object.entries(choices)
    .filter(([name, values]) => isOther(given[name], values))
    .map(([name, values]) => issue(name, `must be ${values.join(', ') || 'left out'}`));
  return [...unused, ...others];
}

const isOther = (value: unknown, values: readonly string[]): boolean =>
  typeof value === 'string' && !values.includes(value);

/** Replaces a message of the schema that mentions values or arguments that are not offered. */
function inOffer(found: z.core.$ZodIssue, { leaveOut = [], choices = {} }: Cut): z.core.$ZodIssue {
  const name = String(found.path[0] ?? '');
  const values = found.path.length === 1 ? choices[name] : undefined;
  if (values) return issue(name, `must be ${values.join(', ')}`);
  const isCut = leaveOut.some((one) => found.message.includes(one));
  return found.code === 'custom' && isCut ? issue(name, 'is missing') : found;
}

const issue = (name: string, message: string): z.core.$ZodIssue => ({
  code: 'custom',
  path: [name],
  message: `"${name}" ${message}`,
  input: undefined,
});

/** `operation (list, read), path, …` */
function argumentsOf({ parameters }: ToolDescription): string {
  const properties = (parameters['properties'] ?? {}) as Record<string, { enum?: string[] }>;
  return Object.entries(properties)
    .map(([name, { enum: values }]) => (values ? `${name} (${values.join(', ')})` : name))
    .join(', ');
}
