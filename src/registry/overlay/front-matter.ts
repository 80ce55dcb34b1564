import * as z from 'zod';

const Attributes = z.record(z.string(), z.unknown());

/**
 * Splits a Markdown file into body and attributes: the YAML between two `---` lines at its start.
 *
 * One-line plain values are read here, and colons in them are text, as the Agent Skills parsers do. The YAML parser is
 * loaded only for other values.
 *
 * @throws Error with the problem and its line.
 */
export async function readFrontMatter(text: string) {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found)
    throw new Error(
      'line 1: it does not start with front matter between two lines of `---`. Add `---`, name, description, `---`',
    );
  const [whole, yaml = ''] = found;
  const rest = text.slice(whole.length);
  const body = rest.trim();
  const lines = yaml.split(/\r?\n/);
  return {
    attributes: readPlain(yaml) ?? (await readYaml(yaml)),
    body,
    /** The line of an attribute, from 1; for a missing attribute, the line of the first `---`. */
    lineOf: (name: string) => lines.findIndex((line) => line.startsWith(`${name}:`)) + 2,
    /** Line of the file in which the body begins, from 1. */
    bodyLine: lineAt(text, whole.length + (rest.length - rest.trimStart().length)),
  };
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

type Plain = Map<string, string | Map<string, string>>;

/** Lines of `name: plain text`, and indented maps of such lines; undefined if there is anything else. */
function readPlain(yaml: string): Record<string, unknown> | undefined {
  const attributes: Plain = new Map();
  for (const line of yaml.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (!addPlain(attributes, line)) return undefined;
  }
  const plain = [...attributes].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : Object.fromEntries(value),
  ]);
  return Object.fromEntries(plain);
}

const plainLine = /^( {2})?([A-Za-z][\w-]*):(?:[ \t]+([^\s"'[\]{}&*!|>%@`#,?:-].*))?$/;

/** @returns Whether the line could be read. */
function addPlain(attributes: Plain, line: string): boolean {
  const [read, indent, name = '', value] = plainLine.exec(line) ?? [];
  if (read === undefined || / #|\s$/.test(value ?? '')) return false;
  if (indent === undefined) {
    if (attributes.has(name)) return false;
    attributes.set(name, value ?? new Map());
    return true;
  }
  const last = [...attributes.values()].at(-1);
  if (!(last instanceof Map) || last.has(name) || value === undefined) return false;
  last.set(name, value);
  return true;
}

async function readYaml(yaml: string): Promise<Record<string, unknown>> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(yaml, { schema: 'core', lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken) {
    const { line } = lines.linePos(broken.pos[0]);
    throw new Error(`line ${line + 1}: its front matter is not YAML (${broken.message})`);
  }
  const parsed = Attributes.safeParse(document.toJS({ maxAliasCount: 10 }) ?? {});
  if (parsed.success) return parsed.data;
  throw new Error('line 2: its front matter is not a list of names and values');
}
