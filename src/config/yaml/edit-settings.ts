import { parseEnv } from 'node:util';
import type { Document, YAMLMap } from 'yaml';

/** Settings by their dotted path in a YAML file; null removes one. */
export type YamlEdits = ReadonlyMap<string, string | null>;

/**
 * The text of a settings file with some settings changed. Comments and everything else stay; a group that becomes empty
 * is removed.
 *
 * @throws Error if the text is not valid YAML, or if a setting is in a place that can't be changed, such as an alias.
 */
export async function editYaml(text: string, edits: YamlEdits): Promise<string> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [broken] = document.errors;
  if (broken) throw broken;
  for (const [dotted, value] of edits) {
    const path = dotted.split('.');
    if (value === null) remove(document, path);
    else document.setIn(path, value);
  }
  if (document.contents !== null || document.commentBefore || document.comment)
    return document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return '';
}

function remove(document: Document, path: readonly string[]): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  const around = path.slice(0, -1);
  const group = around.length === 0 ? document.contents : document.getIn(around);
  if ((group as Partial<YAMLMap> | null)?.items?.length !== 0) return;
  if (around.length === 0) document.contents = null;
  else remove(document, around);
}

/**
 * The text of a `.env` file with one variable set. Every other line stays.
 *
 * @throws Error if the variable can't be set without changing another.
 */
export function editEnv(text: string, name: string, value: string): string {
  const line = `${name}=${quoted(value)}`;
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const own = new RegExp(`^\\s*(export\\s+)?${name}\\s*=`);
  const at = lines.findLastIndex((one) => own.test(one));
  const edited = at === -1 ? [...lines, line] : lines.with(at, line);
  const result = `${edited.join('\n')}\n`;
  assertOnlyChange(text, result, { name, value });
  return result;
}

/** Quotes that `parseEnv` removes, if the value needs some. */
function quoted(value: string): string {
  if (/^[\w.~+/=:-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((one) => !value.includes(one)) ?? "'";
  return `${quote}${value}${quote}`;
}

/** A value can have several lines, so a line that looks like a variable may be part of another value. */
function assertOnlyChange(
  before: string,
  after: string,
  { name, value }: { readonly name: string; readonly value: string },
): void {
  const wanted = { ...parseEnv(before), [name]: value };
  const found = parseEnv(after);
  const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  const isAsWanted = [...names].every((one) => wanted[one] === found[one]);
  if (!isAsWanted) throw new Error(`${name} can't be set without changing another line`);
}
