import type { Outcome } from '../context.ts';
import { escaped } from '../language/escape.ts';
import { nameWords } from '../language/words.ts';
import type { Step } from '../phrases/form.ts';
import { fail, modelSettings } from '../task-error.ts';
import { findFile, readWhole } from './file-tool.ts';
import { writeFiles } from './write-checked.ts';

/** A string, number, boolean or null in a JSON text. */
interface Value {
  /** The keys that lead to it. */
  readonly keys: readonly string[];
  readonly text: string;
  readonly start: number;
}

/** Sets one value of a JSON file, named by its key or the end of its path: `server.port`, `port`, `server port`. */
export async function setValue(step: Step, path: string): Promise<Outcome> {
  const key = step.text('old') || step.text('bareOld');
  const [given, bare] = [step.text('new'), step.text('bareNew')];
  if (/\s/.test(bare))
    fail('NOT_UNDERSTOOD', `"${bare}" may be a description. Put it in quotes if it is the value.`);
  const { content } = await readWhole(step, path);
  const { keys, text: old, start } = valueNamed(content, key, path);
  const isLiteral = /^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(bare) && !old.startsWith('"');
  if (bare !== '' && !isLiteral && !old.startsWith('"') && old !== 'null')
    fail('INPUT_INVALID', `${keys.join('.')} is ${old}, "${bare}" is text. Put it in quotes.`);
  const value = isLiteral ? bare : JSON.stringify(given || bare);
  const changed = `${content.slice(0, start)}${value}${content.slice(start + old.length)}`;
  const reason = `Set "${keys.join('.')}" from ${old} to ${value} in ${path}`;
  return writeFiles(step, { path, content: changed, reason });
}

/** Sets the value behind a name and `=` or `:` in a text: `DAYS = 14`. Undefined if the text gives that name no value, or if the name may be what changes. */
export async function setAssigned(step: Step, path: string): Promise<Outcome | undefined> {
  const name = step.text('bareOld');
  const [given, bare] = [step.text('new'), step.text('bareNew')];
  const [value, verb] = [given || bare, step.word('verb')];
  const isMeant = verb === 'set' || /^(?:true|false|-?\d+(?:\.\d+)?)$/i.test(bare);
  const isThere = isMeant && (await findFile(step, path)) !== undefined;
  if (verb === 'rename' || !isThere || /\s/.test(bare)) return undefined;
  const { content } = await readWhole(step, path);
  const assigned = new RegExp(
    `^([ \\t]*(?:(?:export|const|let|var) )?${escaped(name)}[ \\t]*[:=][ \\t]*)(["']?)([^\\s"',;#]+)\\2(?=[ \\t]*[,;]?[ \\t]*(?:(?:#|//).*)?$)`,
    'gm',
  );
  const [found, ...others] = content.matchAll(assigned);
  if (found === undefined) return undefined;
  if (others.length > 0)
    fail('AMBIGUOUS', `${name} has several values in ${path}. Quote its line.`);
  const { 0: all, 1: lead = '', 2: quote = '', 3: old = '', index } = found;
  if (quote === '' ? !/^[\w.+-]+$/.test(value) : /[\\\r\n]/.test(value) || value.includes(quote))
    fail('INPUT_INVALID', `"${value}" can't replace ${quote}${old}${quote}. Quote the whole line.`);
  const changed = `${content.slice(0, index)}${lead}${quote}${value}${quote}${content.slice(index + all.length)}`;
  const reason = `Set "${name}" from ${old} to ${value} in ${path}`;
  return writeFiles(step, { path, content: changed, reason });
}

/** Finds a value by its key or path. @throws TaskError `INPUT_INVALID`, `NOT_FOUND`; `AMBIGUOUS` if several match. */
function valueNamed(content: string, key: string, path: string): Value {
  try {
    JSON.parse(content);
  } catch (error) {
    fail('INPUT_INVALID', `${path} is not valid JSON: ${(error as Error).message}.`);
  }
  const all = valuesIn(content);
  const words = nameWords(key).join(' ');
  const isEnd = (keys: readonly string[]) => keys.flatMap(nameWords).join(' ') === words;
  const named = all.filter(({ keys }) => keys.some((_, at) => isEnd(keys.slice(at))));
  const whole = all.filter(({ keys }) => keys.join('.') === key);
  const last = all.filter(({ keys }) => keys.at(-1) === key);
  const [found, ...others] = [whole, last, named].find(({ length }) => length > 0) ?? [];
  const shown = (some: readonly Value[]) => some.map(({ keys }) => keys.join('.')).join(', ');
  if (found === undefined)
    fail(
      'NOT_FOUND',
      `${path} has no simple value "${key}". It has: ${shown(all.slice(0, 20))}. Other changes need a language model: ${modelSettings}.`,
    );
  if (others.length > 0)
    fail('AMBIGUOUS', `"${key}" matches ${shown([found, ...others])}. Name one of them.`);
  return found;
}

/** The simple values of a valid JSON text, in order. */
function valuesIn(content: string): readonly Value[] {
  const values: Value[] = [];
  const open: string[] = [];
  let key = '';
  for (const { 0: text, 1: before = '', index } of content.matchAll(
    /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]|[^\s{}[\]:,"]+/g,
  )) {
    if (before !== '') key = JSON.parse(text.slice(0, -before.length));
    else if (/^[{[]/.test(text)) open.push(key);
    else if (/^[}\]]/.test(text)) open.pop();
    else values.push({ keys: [...open.slice(1), key], text, start: index });
  }
  return values;
}
