import type { Tool } from '../../src/tools/define/tool.ts';
import { toolbox } from '../../src/tools/toolbox.ts';

interface Argument {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Argument[];
  readonly items?: Argument;
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

interface Parameters {
  readonly properties?: Readonly<Record<string, Argument>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Parameters[];
}

/** The type of a value, in a few words. */
function shapeOf(argument: Argument): string {
  if (argument.anyOf) return [...new Set(argument.anyOf.map(shapeOf))].join(' or ');
  if (argument.enum) return argument.enum.map((value) => `\`${String(value)}\``).join(' ');
  if (argument.type === 'array') return `list of ${shapeOf(argument.items ?? {})}`;
  const name = { string: 'text', object: 'object', boolean: 'true or false' };
  return name[argument.type as keyof typeof name] ?? argument.type ?? 'anything';
}

function limitOf({ minimum, maximum, maxLength, maxItems }: Argument): string {
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const parts = [
    ...(isBounded ? [`${minimum ?? 0} to ${maximum.toLocaleString('en')}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength.toLocaleString('en')} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems.toLocaleString('en')}`]),
  ];
  return parts.join(', ');
}

function rowOf(name: string, argument: Argument, isRequired: boolean): string {
  const byDefault = argument.default === undefined ? '' : `\`${JSON.stringify(argument.default)}\``;
  const cells = [
    `\`${name}\``,
    shapeOf(argument),
    isRequired && byDefault === '' ? 'required' : byDefault,
    limitOf(argument),
    argument.description ?? '',
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function sectionOf({ name, description, parameters }: Tool): string {
  const { properties = {}, required = [] } = parameters as Parameters;
  const rows = Object.entries(properties).map(([argument, shape]) =>
    rowOf(argument, shape, required.includes(argument)),
  );
  return `### \`${name}\`

${description}

| argument | type | default | limit | |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

const START = '<!-- generated from the code: npm run pages -->';
const END = '<!-- end -->';

/** docs/tools.md with the current tables of arguments; the rest of the page is unchanged. */
export function toolsPage(page: string): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start === -1 || end < start) throw new Error(`docs/tools.md has lost "${START}" or "${END}"`);
  const sections = [...toolbox.values()].map(sectionOf).join('\n');
  return `${page.slice(0, start + START.length)}\n\n${sections}\n${page.slice(end)}`;
}
