import * as z from 'zod';

/** A Markdown file cut in two. */
export interface FrontMatter {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const Attributes = z.record(z.string(), z.unknown());

/**
 * Reads the YAML between two `---` lines at a file's start.
 *
 * One-line plain values are read here, and colons in them are text, as in agentskills' lenient reading; the YAML parser
 * is loaded only for what is more than that.
 *
 * @throws Error that says what is wrong, for a person.
 */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found) throw new Error('it does not start with front matter between two lines of `---`');
  const [whole, yaml = ''] = found;
  const body = text.slice(whole.length).trim();
  return { attributes: readPlain(yaml) ?? (await readYaml(yaml)), body };
}

/** Lines of `name: plain text`; undefined where there is anything else. */
function readPlain(yaml: string): Record<string, unknown> | undefined {
  const attributes = new Map<string, string>();
  for (const line of yaml.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name, value] =
      /^([A-Za-z][\w-]*):[ \t]+([^\s"'[\]{}&*!|>%@`#,?:-].*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined || / #/.test(value)) return undefined;
    if (attributes.has(name)) return undefined;
    attributes.set(name, value.trim());
  }
  return Object.fromEntries(attributes);
}

async function readYaml(yaml: string): Promise<Record<string, unknown>> {
  const { parse } = await import('yaml');
  const parsed = Attributes.safeParse(parse(yaml, { schema: 'core', maxAliasCount: 10 }) ?? {});
  if (parsed.success) return parsed.data;
  throw new Error('its front matter is not a list of names and values');
}
