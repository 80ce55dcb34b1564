import { type Act, formsOf, type Step } from '../phrases/form.ts';
import { fail } from '../task-error.ts';
import { many, readWhole } from './file-tool.ts';
import { writeFor } from './write-checked.ts';

type Lines = readonly string[];

/** The changed lines of a file, and what was done; they end without an empty line. */
type Edit = (step: Step, lines: Lines) => { readonly lines: Lines; readonly done: string };

const editing =
  (edit: Edit): Act =>
  async (step) => {
    const path = step.text('file');
    const { content } = await readWhole(step, path);
    const all = content.split('\n');
    const end = all.at(-1) === '' ? all.splice(-1) : [];
    const { lines, done } = edit(step, all);
    const changed = lines.length === 0 ? '' : [...lines, ...end].join('\n');
    return writeFor(step, { path, content: changed, reason: `${done} in ${path}` });
  };

/** Forms that change single lines or values of a text file. */
export const lineForms = formsOf(
  `
item = [task|item|checkbox|todo|to-do|entry]
line = {line:quote|code}
tick = (tick|check|cross|mark|tick off|check off|cross off) <item> <line> <item> [off] [as (done|completed|complete|finished)]
remove = (delete|remove|drop|erase|strip) [all|every]
from = (from|in|of) [file] {file}
key = [value of] [key|setting|option|field] ({key:quote|code}|{key:word}) to ({value:quote|code}|{bare:n}|{bare:word})
change = (change|update|set|bump|edit) {key:words}
by = from {old:quote|code|word} to {new:quote|code|word}
setting: Set "debug" to true in {file}
  set <key> in [file] {file}
  in [file] {file} set <key>
ticking: Mark "the task" as done in {file}
  <tick> (in|on|from|of) [file] {file}
  in [file] {file} <tick>
deletingLines: Delete the line "old text" from {file}
  <remove> lines? [part:(containing|with|that contain|that contains|which contain|that mention|that say)] <line> <from>
  <remove> (task|item|entry) part:(<line>) <from>
deletingOneLine: Delete line 2 of {file}
  <remove> (line {n}|{n:nth} line|end:(first|last) line) <from>
deletingEmpty: Remove the empty lines from {file}
  <remove> (empty|blank) lines <from>
deletingRepeated: Remove the duplicate lines from {file}
  <remove> (duplicate|duplicated|repeated) lines <from>
addingUnder: Add the line "new text" under Heading in {file}
  (add|insert|put|append) [task|item|todo|line|bullet|entry|text] <line> (under|below|to section|in section) [heading|section] ({heading:quote|code}|{heading:words}) [heading|section] (in|of) [file] {file}
addingTask: Add the task "new task" to {file}
  (add|append) (task|item|todo|to-do|entry) <line> (to|in) [file] {file}
changing: Change the version in {file} from 1.0 to 1.1
  <change> in [file] {file} <by>
  <change> <by> in [file] {file}
`,
  {
    ticking: editing((step, lines) => {
      const text = step.text('line');
      const isOpen = (line: string) => /^\s*[-*+] \[ \]/.test(line) && has(line, text);
      const at = onlyLine(lines, `open task "${text}"`, isOpen);
      const line = lines[at] ?? '';
      return {
        lines: lines.with(at, line.replace('[ ]', '[x]')),
        done: `Ticked off "${line.trim()}"`,
      };
    }),
    deletingLines: editing((step, lines) => {
      const text = step.text('line');
      const fits = step.has('part') ? has : (line: string) => line.trim() === text.trim();
      return without(lines, `line "${text}"`, (line) => fits(line, text));
    }),
    deletingOneLine: editing((step, lines) => {
      const number = step.word('end') === 'last' ? lines.length : (step.number('n') ?? 1);
      return without(lines, `line ${number}`, (_, at) => at === number - 1);
    }),
    deletingEmpty: editing((_, lines) =>
      without(lines, 'empty line', (line) => line.trim() === ''),
    ),
    // Of equal lines the first one is kept.
    deletingRepeated: editing((_, lines) => {
      const seen = new Set<string>();
      return without(lines, 'repeated line', (line) => seen.size === seen.add(line).size);
    }),
    changing: editing((step, lines) => {
      const [key = '', old = '', value = ''] = ['key', 'old', 'new'].map(step.text);
      const fits = (line: string) => has(line, key) && line.split(old).length === 2;
      const at = onlyLine(lines, `line with "${key}" and "${old}"`, fits);
      const changed = (lines[at] ?? '').replace(old, () => value);
      return { lines: lines.with(at, changed), done: `Changed ${key} from ${old} to ${value}` };
    }),
    addingTask: editing((step, lines) => {
      const last = lines.findLastIndex((line) => /^\s*[-*+] /.test(line));
      const added = inStyleOf(lines[last] ?? '- [ ] ', step.text('line'));
      const at = last < 0 ? lines.length : last + 1;
      return { lines: lines.toSpliced(at, 0, added), done: `Added "${added}"` };
    }),
    addingUnder: editing(addingUnder),
    setting: (step) => {
      const path = step.text('file');
      if (/\.json$/i.test(path)) return editing(setting)(step);
      const how = `say: Replace "old text" with "new text" in ${path}`;
      return fail('NOT_SUPPORTED', `Values are set in .json files only. For ${path}, ${how}.`);
    },
  },
);

const has = (line: string, text: string) => line.toLowerCase().includes(text.toLowerCase());

const noLine = (what: string) => fail('NOT_FOUND', `There is no ${what}; nothing was changed.`);

function without(lines: Lines, what: string, fits: (line: string, at: number) => boolean) {
  const left = lines.filter((line, at) => !fits(line, at));
  const gone = lines.length - left.length;
  return gone === 0
    ? noLine(what)
    : { lines: left, done: `Deleted ${many(gone, 'line')} (${what})` };
}

/** @throws TaskError `NOT_FOUND`; `AMBIGUOUS` if several lines fit. */
function onlyLine(lines: Lines, what: string, fits: (line: string) => boolean): number {
  const [first, ...others] = lines.flatMap((line, at) => (fits(line) ? [at] : []));
  if (first === undefined) return noLine(what);
  const numbers = [first, ...others].map((at) => at + 1).join(', ');
  if (others.length > 0) fail('AMBIGUOUS', `Lines ${numbers} are each a ${what}: give more of it.`);
  return first;
}

function addingUnder(step: Step, lines: Lines) {
  const heading = step.text('heading');
  const titleOf = (line: string) => /^#{1,6}\s+(.*?)\s*$/.exec(line)?.[1]?.toLowerCase();
  const isMeant = (line: string) => titleOf(line) === heading.toLowerCase();
  const start = onlyLine(lines, `heading "${heading}"`, isMeant);
  const next = lines.findIndex((line, at) => at > start && titleOf(line) !== undefined);
  const section = lines.slice(start + 1, next < 0 ? undefined : next);
  const last = section.findLastIndex((line) => line.trim() !== '');
  const added = inStyleOf(section[last] ?? '', step.text('line'));
  const changed = lines.toSpliced(start + 2 + last, 0, added);
  return { lines: changed, done: `Added "${added}" under "${heading}"` };
}

/** A line in the style of its neighbour in a list: with its bullet, as an open task. */
function inStyleOf(neighbour: string, text: string): string {
  const [, bullet = '', box = ''] = /^(\s*[-*+] )(\[[ xX]\] )?/.exec(neighbour) ?? [];
  return /^\s*[-*+] /.test(text) ? text : `${bullet}${box === '' ? '' : '[ ] '}${text}`;
}

const anyValue = '"(?:[^"\\\\\\n]|\\\\.)*"|-?\\d[\\d.eE+-]*|true|false|null';

/** Sets one value of a JSON file. The key must occur once, with a text, number, boolean or null. */
function setting(step: Step, lines: Lines) {
  const [key = '', path = '', given = '', bare = ''] = ['key', 'file', 'value', 'bare'].map(
    step.text,
  );
  const content = lines.join('\n');
  try {
    JSON.parse(content);
  } catch (error) {
    fail('INPUT_INVALID', `${path} is not valid JSON: ${(error as Error).message}.`);
  }
  const name = JSON.stringify(key).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const [found, ...others] = content.matchAll(new RegExp(`(${name}\\s*:\\s*)(${anyValue})`, 'g'));
  if (found === undefined) {
    const keys = new Set([...content.matchAll(/"([^"\\\n]+)"\s*:/g)].map(([, one]) => one));
    fail(
      'NOT_FOUND',
      `${path} has no simple value "${key}". It has: ${[...keys].slice(0, 20).join(', ')}.`,
    );
  }
  if (others.length > 0)
    fail('AMBIGUOUS', `${path} has "${key}" ${others.length + 1} times: replace a longer text.`);
  const [all, before = '', old = ''] = found;
  const isLiteral = /^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(bare) && !old.startsWith('"');
  const value = isLiteral ? bare : JSON.stringify(given || bare);
  const rest = content.slice(found.index + all.length);
  const changed = `${content.slice(0, found.index)}${before}${value}${rest}`;
  return { lines: changed.split('\n'), done: `Set "${key}" from ${old} to ${value}` };
}
