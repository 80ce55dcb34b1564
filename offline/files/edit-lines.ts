import type { HandlerContext, Outcome } from '../context.ts';
import { type Filled, form, need } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import { readWhole } from './file-tool.ts';
import { keepBans } from './keep-bans.ts';
import { writeChecked } from './write-checked.ts';

const item = '[task|item|checkbox|todo|to-do|entry]';

/** Forms that change single lines of a text file. */
export const lineForms = [
  form(
    ticking,
    `Mark "the task" as done in {file}`,
    `(tick|check|cross|mark|tick off|check off|cross off) ${item} {line:quote|code} ${item} [off] [as (done|completed|complete|finished)] (in|on|from|of) [file] {file}`,
    `in [file] {file} (tick|check|mark|tick off|check off) ${item} {line:quote|code} [off] [as (done|completed|complete|finished)]`,
  ),
  form(
    deletingLines,
    'Delete the line "old text" from {file}',
    '(delete|remove|drop|erase) [all|every] lines? {line:quote|code} (from|in|of) [file] {file}',
    '(delete|remove|drop|erase) [all|every] lines? part:(containing|with|that contain|that contains|which contain|that mention|that say) {line:quote|code} (from|in|of) [file] {file}',
    '(delete|remove|drop|erase) (task|item|entry) part:{line:quote|code} (from|in|of) [file] {file}',
  ),
  form(
    deletingOneLine,
    'Delete line 2 of {file}',
    '(delete|remove|drop) line {n} (from|in|of) [file] {file}',
    '(delete|remove|drop) end:(first|last) line (from|in|of) [file] {file}',
  ),
  form(
    deletingEmptyLines,
    'Remove the empty lines from {file}',
    '(delete|remove|drop|strip) [all] (empty|blank) lines (from|in|of) [file] {file}',
  ),
  form(
    deletingRepeatedLines,
    'Remove the duplicate lines from {file}',
    '(delete|remove|drop|strip) [all] (duplicate|duplicated|repeated) lines (from|in|of) [file] {file}',
  ),
  form(
    addingUnder,
    'Add the line "new text" under Heading in {file}',
    `(add|insert|put|append) what:[task|item|todo|line|bullet|entry|text] {line:quote|code} (under|below|to section|in section|under heading|under section) ({heading:quote|code}|{heading:words}) [heading|section] (in|of) [file] {file}`,
  ),
  form(
    changingValue,
    'Change the version in {file} from 1.0 to 1.1',
    '(change|update|set|bump|edit) {key:words} in [file] {file} from {old:quote|code|word} to {new:quote|code|word}',
    '(change|update|bump|edit) {key:words} from {old:quote|code|word} to {new:quote|code|word} in [file] {file}',
  ),
];

/** Writes the changed lines of a file, and reports the change. */
async function change(
  context: HandlerContext,
  filled: Filled,
  edit: (lines: readonly string[], path: string) => { lines: readonly string[]; done: string },
): Promise<Outcome> {
  const path = need(filled, 'file');
  await keepBans(context, filled.instruction, path);
  const { content } = await readWhole(context, path);
  const { lines, done } = edit(content.split('\n'), path);
  const bytes = await writeChecked(context, { path, content: lines.join('\n'), reason: done });
  return { text: `${done} (read back and compared).`, data: { written: [{ path, bytes }] } };
}

function ticking(filled: Filled, context: HandlerContext): Promise<Outcome> {
  return change(context, filled, (lines, path) => {
    const at = onlyLine(lines, path, {
      fits: (line) => /^\s*[-*+] \[ \]/.test(line) && has(line, need(filled, 'line')),
      what: `open task "${need(filled, 'line')}"`,
    });
    const done = lines.with(at, (lines[at] ?? '').replace('[ ]', '[x]'));
    return { lines: done, done: `Ticked off "${lines[at]?.trim()}" in ${path}` };
  });
}

function deletingLines(filled: Filled, context: HandlerContext): Promise<Outcome> {
  return change(context, filled, (lines, path) => {
    const text = need(filled, 'line');
    const isPart = filled.word('part') !== undefined;
    const fits = (line: string) => (isPart ? has(line, text) : line.trim() === text.trim());
    const left = lines.filter((line) => !fits(line));
    if (left.length === lines.length) throw noLine(path, `line "${text}"`);
    return { lines: left, done: `Deleted ${lineCount(lines, left)} "${text}" from ${path}` };
  });
}

function deletingOneLine(filled: Filled, context: HandlerContext): Promise<Outcome> {
  return change(context, filled, (lines, path) => {
    const total = lines.at(-1) === '' ? lines.length - 1 : lines.length;
    const line = filled.word('end') === 'last' ? total : (filled.number('n') ?? 1);
    const text = lines[line - 1];
    if (text === undefined || line > total) throw noLine(path, `line ${line}`);
    const left = lines.filter((_, at) => at !== line - 1);
    return { lines: left, done: `Deleted line ${line} ("${text}") from ${path}` };
  });
}

function deletingEmptyLines(filled: Filled, context: HandlerContext): Promise<Outcome> {
  return change(context, filled, (lines, path) => {
    const end = lines.at(-1) === '' ? [''] : [];
    const left = [...lines.filter((line) => line.trim() !== ''), ...end];
    if (left.length === lines.length) throw noLine(path, 'empty line');
    return { lines: left, done: `Removed ${lineCount(lines, left, 'empty')} from ${path}` };
  });
}

/** Of equal lines the first one is kept. */
function deletingRepeatedLines(filled: Filled, context: HandlerContext): Promise<Outcome> {
  return change(context, filled, (lines, path) => {
    const end = lines.at(-1) === '' ? [''] : [];
    const left = [...new Set(lines.slice(0, lines.length - end.length)), ...end];
    if (left.length === lines.length) throw noLine(path, 'line that occurs twice');
    return { lines: left, done: `Removed ${lineCount(lines, left, 'repeated')} from ${path}` };
  });
}

function lineCount(before: readonly string[], after: readonly string[], kind = ''): string {
  const count = before.length - after.length;
  return `${count} ${kind === '' ? '' : `${kind} `}${count === 1 ? 'line' : 'lines'}`;
}

function addingUnder(filled: Filled, context: HandlerContext): Promise<Outcome> {
  return change(context, filled, (lines, path) => {
    const heading = need(filled, 'heading');
    const isHeading = (line: string) => /^#{1,6}\s/.test(line);
    const start = onlyLine(lines, path, {
      fits: (line) =>
        isHeading(line) &&
        line
          .replace(/^#+\s*/, '')
          .trim()
          .toLowerCase() === heading.toLowerCase(),
      what: `heading "${heading}"`,
    });
    const next = lines.findIndex((line, at) => at > start && isHeading(line));
    const section = lines.slice(start + 1, next < 0 ? undefined : next);
    const last = section.findLastIndex((line) => line.trim() !== '');
    const added = listed(need(filled, 'line'), section[last] ?? '');
    const at = start + 1 + last + 1;
    return {
      lines: [...lines.slice(0, at), added, ...lines.slice(at)],
      done: `Added "${added}" under "${heading}" in ${path}`,
    };
  });
}

/** A line in the style of its neighbour in a list: with its bullet, as an open task. */
function listed(text: string, neighbour: string): string {
  const [, bullet = '', box = ''] = /^(\s*[-*+] )(\[[ xX]\] )?/.exec(neighbour) ?? [];
  return /^\s*[-*+] /.test(text) ? text : `${bullet}${box === '' ? '' : '[ ] '}${text}`;
}

function changingValue(filled: Filled, context: HandlerContext): Promise<Outcome> {
  return change(context, filled, (lines, path) => {
    const [key, old, value] = ['key', 'old', 'new'].map((name) => need(filled, name)) as [
      string,
      string,
      string,
    ];
    const at = onlyLine(lines, path, {
      fits: (line) => has(line, key) && line.split(old).length === 2,
      what: `line with "${key}" and "${old}"`,
    });
    const changed = lines.with(
      at,
      (lines[at] ?? '').replace(old, () => value),
    );
    return { lines: changed, done: `Changed ${key} from ${old} to ${value} in ${path}` };
  });
}

const has = (line: string, text: string): boolean =>
  line.toLowerCase().includes(text.toLowerCase());

/** @throws TaskError `NOT_FOUND`; `AMBIGUOUS` if several lines fit. */
function onlyLine(
  lines: readonly string[],
  path: string,
  { fits, what }: { readonly fits: (line: string) => boolean; readonly what: string },
): number {
  const found = lines.flatMap((line, at) => (fits(line) ? [at] : []));
  const [first, second] = found;
  if (first === undefined) throw noLine(path, what);
  if (second === undefined) return first;
  throw new TaskError(
    'AMBIGUOUS',
    `${path} has ${found.length} lines for ${what} (${found.map((at) => at + 1).join(', ')}); nothing was changed. Give more of the line.`,
  );
}

const noLine = (path: string, what: string): TaskError =>
  new TaskError('NOT_FOUND', `${path} has no ${what}; nothing was changed.`);
