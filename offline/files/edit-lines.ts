import { type Act, type Filled, form, need } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import { readWhole } from './file-tool.ts';
import { many } from './listed.ts';
import { writeFor } from './write-checked.ts';

/** Changes the text of a file; `done` says how. */
type Edit = (
  filled: Filled,
  content: string,
  path: string,
) => { readonly content: string; readonly done: string };

const edited =
  (edit: Edit): Act =>
  async (filled, context) => {
    const path = need(filled, 'file');
    const { content, done } = edit(filled, (await readWhole(context, path)).content, path);
    return writeFor(filled, context, { path, content, reason: `${done} in ${path}` });
  };

/** The same for the lines of a file, without an empty one after the last line break. */
const byLine = (
  edit: (
    filled: Filled,
    lines: readonly string[],
    path: string,
  ) => { readonly lines: readonly string[]; readonly done: string },
): Act =>
  edited((filled, content, path) => {
    const end = content.endsWith('\n') ? '\n' : '';
    const all = content === '' ? [] : content.slice(0, content.length - end.length).split('\n');
    const { lines, done } = edit(filled, all, path);
    return { content: `${lines.join('\n')}${lines.length === 0 ? '' : end}`, done };
  });

const item = '[task|item|checkbox|todo|to-do|entry]';
const asDone = '[off] [as (done|completed|complete|finished)]';
const remove = '(delete|remove|drop|erase|strip)';
const from = '(from|in|of) [file] {file}';
const key = '[value of] [key|setting|option|field] ({key:quote|code}|{key:word})';
const value = '({value:quote|code}|{bare:n}|{bare:word})';

/** Forms that change single lines or values of a text file. */
export const lineForms = [
  form(
    edited(settingValue),
    'Set "debug" to true in {file}',
    `set ${key} to ${value} in [file] {file}`,
    `in [file] {file} set ${key} to ${value}`,
  ),
  form(
    byLine(ticking),
    `Mark "the task" as done in {file}`,
    `(tick|check|cross|mark|tick off|check off|cross off) ${item} {line:quote|code} ${item} ${asDone} (in|on|from|of) [file] {file}`,
    `in [file] {file} (tick|check|mark|tick off|check off) ${item} {line:quote|code} ${asDone}`,
  ),
  form(
    byLine(deletingLines),
    'Delete the line "old text" from {file}',
    `${remove} [all|every] lines? [part:(containing|with|that contain|that contains|which contain|that mention|that say)] {line:quote|code} ${from}`,
    `${remove} (task|item|entry) part:{line:quote|code} ${from}`,
  ),
  form(
    byLine(deletingOneLine),
    'Delete line 2 of {file}',
    `${remove} (line {n}|end:(first|last) line) ${from}`,
  ),
  form(
    byLine(deletingEmpty),
    'Remove the empty lines from {file}',
    `${remove} [all] (empty|blank) lines ${from}`,
  ),
  form(
    byLine(deletingRepeated),
    'Remove the duplicate lines from {file}',
    `${remove} [all] (duplicate|duplicated|repeated) lines ${from}`,
  ),
  form(
    byLine(addingUnder),
    'Add the line "new text" under Heading in {file}',
    '(add|insert|put|append) [task|item|todo|line|bullet|entry|text] {line:quote|code} (under|below|to section|in section|under heading|under section) ({heading:quote|code}|{heading:words}) [heading|section] (in|of) [file] {file}',
  ),
  form(
    byLine(changingValue),
    'Change the version in {file} from 1.0 to 1.1',
    '(change|update|set|bump|edit) {key:words} in [file] {file} from {old:quote|code|word} to {new:quote|code|word}',
    '(change|update|bump|edit) {key:words} from {old:quote|code|word} to {new:quote|code|word} in [file] {file}',
  ),
];

type Lines = readonly string[];

function ticking(filled: Filled, lines: Lines, path: string) {
  const text = need(filled, 'line');
  const isOpen = (line: string) => /^\s*[-*+] \[ \]/.test(line) && has(line, text);
  const at = onlyLine(lines, { path, what: `open task "${text}"`, fits: isOpen });
  const line = lines[at] ?? '';
  return { lines: lines.with(at, line.replace('[ ]', '[x]')), done: `Ticked off "${line.trim()}"` };
}

function deletingLines(filled: Filled, lines: Lines, path: string) {
  const text = need(filled, 'line');
  const isPart = filled.has('part');
  const fits = (line: string) => (isPart ? has(line, text) : line.trim() === text.trim());
  return without(lines, fits, { path, what: `line "${text}"` });
}

function deletingOneLine(filled: Filled, lines: Lines, path: string) {
  const number = filled.word('end') === 'last' ? lines.length : (filled.number('n') ?? 1);
  return without(lines, (_, at) => at === number - 1, { path, what: `line ${number}` });
}

function deletingEmpty(_filled: Filled, lines: Lines, path: string) {
  return without(lines, (line) => line.trim() === '', { path, what: 'empty line' });
}

/** Of equal lines the first one is kept. */
function deletingRepeated(_filled: Filled, lines: Lines, path: string) {
  const seen = new Set<string>();
  const isRepeated = (line: string) => seen.size === seen.add(line).size;
  return without(lines, isRepeated, { path, what: 'repeated line' });
}

function without(
  lines: Lines,
  fits: (line: string, at: number) => boolean,
  { path, what }: { readonly path: string; readonly what: string },
) {
  const left = lines.filter((line, at) => !fits(line, at));
  const gone = lines.length - left.length;
  if (gone === 0) throw noLine(path, what);
  return { lines: left, done: `Deleted ${many(gone, 'line')} (${what})` };
}

function addingUnder(filled: Filled, lines: Lines, path: string) {
  const heading = need(filled, 'heading');
  const isHeading = (line: string) => /^#{1,6}\s/.test(line);
  const titleOf = (line: string) =>
    line
      .replace(/^#+\s*/, '')
      .trim()
      .toLowerCase();
  const start = onlyLine(lines, {
    path,
    what: `heading "${heading}"`,
    fits: (line) => isHeading(line) && titleOf(line) === heading.toLowerCase(),
  });
  const next = lines.findIndex((line, at) => at > start && isHeading(line));
  const section = lines.slice(start + 1, next < 0 ? undefined : next);
  const last = section.findLastIndex((line) => line.trim() !== '');
  const added = inStyleOf(section[last] ?? '', need(filled, 'line'));
  return {
    lines: lines.toSpliced(start + 2 + last, 0, added),
    done: `Added "${added}" under "${heading}"`,
  };
}

/** A line in the style of its neighbour in a list: with its bullet, as an open task. */
function inStyleOf(neighbour: string, text: string): string {
  const [, bullet = '', box = ''] = /^(\s*[-*+] )(\[[ xX]\] )?/.exec(neighbour) ?? [];
  return /^\s*[-*+] /.test(text) ? text : `${bullet}${box === '' ? '' : '[ ] '}${text}`;
}

function changingValue(filled: Filled, lines: Lines, path: string) {
  const [key, old, value] = [need(filled, 'key'), need(filled, 'old'), need(filled, 'new')];
  const fits = (line: string) => has(line, key) && line.split(old).length === 2;
  const at = onlyLine(lines, { path, what: `line with "${key}" and "${old}"`, fits });
  return {
    lines: lines.with(
      at,
      (lines[at] ?? '').replace(old, () => value),
    ),
    done: `Changed ${key} from ${old} to ${value}`,
  };
}

const has = (line: string, text: string): boolean =>
  line.toLowerCase().includes(text.toLowerCase());

/** @throws TaskError `NOT_FOUND`; `AMBIGUOUS` if several lines fit. */
function onlyLine(
  lines: Lines,
  { path, what, fits }: { path: string; what: string; fits: (line: string) => boolean },
): number {
  const [first, ...others] = lines.flatMap((line, at) => (fits(line) ? [at] : []));
  if (first === undefined) throw noLine(path, what);
  if (others.length === 0) return first;
  throw new TaskError(
    'AMBIGUOUS',
    `${path} has ${others.length + 1} lines for ${what} (${[first, ...others].map((at) => at + 1).join(', ')}); nothing was changed. Give more of the line.`,
  );
}

const noLine = (path: string, what: string): TaskError =>
  new TaskError('NOT_FOUND', `${path} has no ${what}; nothing was changed.`);

/** Sets one value of a JSON file. The key must occur once, with a text, number, boolean or null. */
function settingValue(filled: Filled, content: string, path: string) {
  if (!/\.json$/i.test(path))
    throw new TaskError(
      'NOT_SUPPORTED',
      `Values are set in .json files only. For ${path}, say: Replace "old text" with "new text" in ${path}.`,
    );
  const key = need(filled, 'key');
  const { at, old } = onlyValue(content, { key, path });
  const said = filled.text('value') ?? need(filled, 'bare');
  const isLiteral = /^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(said);
  const isText = filled.has('value') || old.startsWith('"') || !isLiteral;
  const value = isText ? JSON.stringify(said) : said;
  return {
    content: content.slice(0, at) + value + content.slice(at + old.length),
    done: `Set "${key}" from ${old} to ${value}`,
  };
}

const anyValue = '"(?:[^"\\\\\\n]|\\\\.)*"|-?\\d[\\d.eE+-]*|true|false|null';

function onlyValue(content: string, { key, path }: { key: string; path: string }) {
  const problem = (code: string, text: string) =>
    new TaskError(code, `${path} ${text}. Nothing was changed.`);
  try {
    JSON.parse(content);
  } catch (error) {
    throw problem('INPUT_INVALID', `is not valid JSON: ${(error as Error).message}`);
  }
  const name = JSON.stringify(key).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const [found, ...others] = content.matchAll(new RegExp(`(${name}\\s*:\\s*)(${anyValue})`, 'g'));
  const keys = new Set([...content.matchAll(/"([^"\\\n]+)"\s*:/g)].map(([, one]) => one));
  if (found === undefined)
    throw problem(
      'NOT_FOUND',
      `has no simple value "${key}". It has: ${[...keys].slice(0, 20).join(', ')}`,
    );
  if (others.length > 0)
    throw problem(
      'AMBIGUOUS',
      `has "${key}" ${others.length + 1} times: replace a longer text that occurs once`,
    );
  return { at: found.index + (found[1] ?? '').length, old: found[2] ?? '' };
}
