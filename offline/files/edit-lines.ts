import { meantBy } from '../language/words.ts';
import { type Act, formsOf, type Step } from '../phrases/form.ts';
import { filesIn } from '../phrases/name-file.ts';
import { fail } from '../task-error.ts';
import { many, readWhole } from './file-tool.ts';
import { cellMeant, writeCell } from './set-cell.ts';
import { lineParts, selectLines } from './text/select-lines.ts';
import { linesOf } from './text/sources.ts';
import { pathsIn, scopesOf } from './which-files.ts';
import { type Writing, writeFiles } from './write-checked.ts';

type Lines = readonly string[];

/** Changes the lines of a file and describes the change. The empty line after the last line break is not included. */
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
    return writeFiles(step, { path, content: changed, reason: `${done} in ${path}` });
  };

/** Forms that change single lines of a text file. */
export const editLineForms = formsOf(
  `${lineParts}
item = [task|item|checkbox|todo|to-do|entry|one]
line = ({line:quote|code}|{line:words})
tick = tick:(tick off|check off|cross off|tick|check|cross|mark|untick|uncheck|set)
done = [off] [as as:(done|completed|complete|finished|open|undone|not done|unfinished)]
in = (in|on|from|of) [file] {file}
drop = drop:(delete|remove|drop|erase|strip|get rid of|take out|throw out|cut|cut out|clear) [out] [every:(all|every|each|any)]
by = from {old:quote|code|word} to {new:quote|code|word}
change = (change|update|set|bump|edit) {key:words}
added = (line|task|item|todo|to-do|entry|bullet|bullet point)
add = (add|append|put|insert|write) [new|open]
under = (under|below|for|to section|in section|to [the] list) [heading|section] ({heading:quote|code}|{heading:words}) [heading|section]
end = (to|in|at|on|into) [(end|bottom) of] [list in] [file] {file}
ticking: Mark "the task" as done in {file}
  <tick> <item> <line> <item> <done> <in> <done>
  {line:words} (is|are|was|were) [now] {state:word} [and|so] [please] <tick> (it|them|that) <done> <in>
  tick:(mark) <item> ({line:quote}|{line:words}) <item> [now] as {as:words} [<in>]
  tick:(tick off|tick|check off|cross off|untick) <item> {line:quote} <item>
cell: Set the status of 12 to "paid"
  (set|change|update) [value of] {bareOld:words} to ({new:quote}|{bareNew:words})
dropping: Delete the line "old text" from {file}
  <drop> <lines> <where>
  <drop> isOne:(line) (with|about|mentioning) {meant:words} <where>
keeping: Keep only the lines in {file} that contain "error"
  keep only (<lines> <where>|lines <where> <testing>)
addingUnder: Add the line "new text" under Heading in {file}
  <add> [<added>|text] {line:quote|code} <under> (in|of) [file] {file}
  <add> [<added>|text] {line:quote|code} (in|to|on) [file] {file} <under>
addingTask: Add the task "new task" to {file}
  <add> (task|item|todo|to-do|entry) {line:quote|code} <end>
  <add> {line:quote|code} (to|in|on) [todo|to-do|task] list in [file] {file}
addingToList: Add "new task" to the shopping list in {file}
  <add> [<added>|text] {line:quote|code} (to|in|on) ({heading:quote|code}|{heading:words}) ([section|list] in|(section|list) of) [file] {file}
addingWords: Add the task "new task" to {file}
  <add> <added> [that says] {line:words} <end>
changing: Change the version in {file} from 1.0 to 1.1
  <change> (in [file] {file} <by>|<by> in [file] {file})
`,
  {
    ticking: marking,
    cell: async (step) => {
      const cell = await cellMeant(step);
      return cell ? writeCell(step, cell) : fail('NOT_FOR_ME', 'No table has such a row.');
    },
    dropping: (step) => withLines(step, true),
    keeping: (step) => withLines(step, false),
    changing: editing((step, lines) => {
      const [key = '', old = '', value = ''] = ['key', 'old', 'new'].map(step.text);
      const fits = (line: string) => has(line, key) && line.split(old).length === 2;
      const at = onlyLine(lines, `line with "${key}" and "${old}"`, fits);
      const changed = (lines[at] ?? '').replace(old, () => value);
      return { lines: lines.with(at, changed), done: `Changed ${key} from ${old} to ${value}` };
    }),
    addingTask: editing((step, lines) => addingTask(step, lines)),
    addingToList: editing(addingToList),
    addingWords: editing(addingWords),
    addingUnder: editing(addingUnder),
  },
);

const has = (line: string, text: string) => line.toLowerCase().includes(text.toLowerCase());

/** Deletes the lines that a form names, or all other lines. */
async function withLines(step: Step, isDrop: boolean) {
  const paths = await pathsIn(step, scopesOf(step));
  const { title, matches } = await selectLines(step);
  if (matches.length === 0) fail('NOT_FOUND', `${title}: nothing was changed.`);
  if (step.has('isOne') && !step.has('end') && !step.has('every') && matches.length > 1)
    fail('AMBIGUOUS', `${title}. Say "lines" if you mean all of them.`);
  const changed = paths.filter((path) => matches.some((match) => match.path === path));
  const writings: Writing[] = [];
  for (const path of changed) {
    const named = new Set(matches.flatMap((one) => (one.path === path ? [one.line] : [])));
    const { content } = await readWhole(step, path);
    const all = content.split(/(?<=\n)/);
    const left = all.filter((_, at) => named.has(at + 1) !== isDrop);
    const count = linesOf(content).length - left.length;
    const reason = `Deleted ${many(count, 'line')} of ${path}`;
    writings.push({ path, content: left.join(''), reason });
  }
  const { text, data } = await writeFiles(step, ...writings);
  return { text: `${isDrop ? title : `All but: ${title}`}.\n\n${text}`, data };
}

/** The index of the only line that fits. @throws TaskError `NOT_FOUND`; `AMBIGUOUS` if several lines fit. */
function onlyLine(lines: Lines, what: string, fits: (line: string) => boolean): number {
  const [first, ...others] = lines.flatMap((line, at) => (fits(line) ? [at] : []));
  if (first === undefined) fail('NOT_FOUND', `There is no ${what}; nothing was changed.`);
  const numbers = [first, ...others].map((at) => at + 1).join(', ');
  if (others.length > 0)
    fail('AMBIGUOUS', `Lines ${numbers} each match ${what}. Quote more of the line.`);
  return first;
}

/** The lines with the quoted text, or with all unquoted words. */
function linesMeant(step: Step, lines: Lines): Lines {
  const text = step.text('line');
  const isQuoted = step.tokens('line')[0]?.kind !== 'word';
  return isQuoted ? lines.filter((line) => has(line, text)) : meantBy(text, lines);
}

/** The checkbox before and after the change that a step asks for. */
function boxesOf(step: Step) {
  const isUndone = /^un/.test(step.word('tick')) || /^(?:open|un|not)/.test(step.word('as'));
  return isUndone
    ? { old: /^(\s*[-*+] )\[[xX]\]/, box: '[ ]', state: 'done', way: 'on' }
    : { old: /^(\s*[-*+] )\[ \]/, box: '[x]', state: 'open', way: 'off' };
}

function ticking(step: Step, lines: Lines) {
  const { old, box, state, way } = boxesOf(step);
  const meant = linesMeant(step, lines);
  const fits = (line: string) => meant.includes(line) && old.test(line);
  const at = onlyLine(lines, `${state} task "${step.text('line')}"`, fits);
  const line = lines[at] ?? '';
  const done = `Ticked ${way} "${line.trim()}"`;
  return { lines: lines.with(at, line.replace(old, `$1${box}`)), done };
}

const doneWord = /^(?:done|completed?|finished|open|undone|not done|unfinished)$/;

/** Ticks a task in the named text, or in the only text with such a task. Otherwise, sets the state of a table row. */
async function marking(step: Step) {
  const [isMark, as] = [/^(?:mark|set)$/.test(step.word('tick')), step.word('as')];
  if (isMark && as === '')
    fail('NOT_UNDERSTOOD', 'Say how it is marked: Mark "the task" as done in plan.md.');
  const cell = as === '' ? undefined : await cellMeant(step);
  const isTask = as === '' || doneWord.test(as);
  const paths = isTask ? await textsWith(step) : [];
  const [path, ...others] = cell ? [cell.path, ...paths] : paths;
  if (path === undefined)
    fail('NOT_FOR_ME', `No task and no row of a table is "${step.text('line')}".`);
  if (others.length > 0)
    fail('AMBIGUOUS', `It may be in ${[path, ...others].join(' or ')}. Name the file.`);
  const text = (name: string) => (name === 'file' ? path : step.text(name));
  return cell ? writeCell(step, cell) : editing(ticking)({ ...step, text });
}

/** The named text, or all texts with a task that fits the step. */
async function textsWith(step: Step): Promise<readonly string[]> {
  const isTable = /\.[ct]sv$/i.test(step.text('file'));
  if (step.has('file')) return isTable ? [] : [step.text('file')];
  const paths: string[] = [];
  for (const path of (await filesIn(step)).filter((one) => /\.(?:md|markdown|txt)$/i.test(one))) {
    const lines = linesMeant(step, linesOf((await readWhole(step, path)).content));
    if (lines.some((line) => boxesOf(step).old.test(line))) paths.push(path);
  }
  return paths;
}

const adding = (lines: Lines, at: number, added: string) => ({
  lines: lines.toSpliced(at < 0 ? lines.length : at + 1, 0, added),
  done: `Added "${added}"`,
});

/** Words that describe a line instead of quoting it: `a line with the total`, `a line for each name`. */
const describing = /^(?:with|about|for|of|from|that|which|between|per|under|in|to|on|as|saying)\b/i;

/** Whether a text becomes a row of a table. @throws TaskError `INPUT_INVALID` if it has not as many fields as the first one. */
function isRow(step: Step, lines: Lines): boolean {
  const [path, text] = [step.text('file'), step.text('line')];
  const count = (line = '') => line.split(/\.tsv$/i.test(path) ? '\t' : ',').length;
  const isTable = /\.[ct]sv$/i.test(path);
  if (isTable && count(text) !== count(lines[0]))
    fail('INPUT_INVALID', `A row of ${path} has ${count(lines[0])} fields, not ${count(text)}.`);
  return isTable;
}

/** Appends unquoted words. */
function addingWords(step: Step, lines: Lines) {
  const text = step.text('line');
  if (describing.test(text) || !/\s|[,;:]/.test(text))
    fail('NOT_UNDERSTOOD', `"${text}" may be the text itself or describe it. Put it in quotes.`);
  return addingTask(step, lines, '');
}

function addingTask(step: Step, lines: Lines, style = '- [ ] ') {
  if (isRow(step, lines)) return adding(lines, -1, step.text('line'));
  const last = lines.findLastIndex((line) => /^\s*[-*+] /.test(line));
  return adding(lines, last, inStyleOf(lines[last] ?? style, step.text('line')));
}

const titleOf = (line: string) => /^#{1,6}\s+(.*?)\s*$/.exec(line)?.[1]?.toLowerCase();

const titlesOf = (lines: Lines) => lines.filter((line) => titleOf(line) !== undefined);

/** Adds to a list. A text with at most one heading is one list, if the heading or the file has the name of the list. */
function addingToList(step: Step, lines: Lines) {
  const [title, ...others] = titlesOf(lines);
  const names = [step.text('file'), title ?? ''];
  const isList = others.length === 0 && meantBy(step.text('heading'), names).length > 0;
  return isList ? addingTask(step, lines) : addingUnder(step, lines);
}

function addingUnder(step: Step, lines: Lines) {
  const said = step.text('heading');
  const titles = titlesOf(lines);
  const exact = titles.filter((line) => titleOf(line) === said.toLowerCase());
  const meant = exact.length > 0 ? exact : meantBy(said, titles);
  if (meant.length === 0) {
    const others = titles.length === 0 ? 'It has none' : `It has: ${titles.join(', ')}`;
    fail('NOT_FOUND', `${step.text('file')} has no heading "${said}". ${others}.`);
  }
  const start = onlyLine(lines, `heading "${said}"`, (line) => meant.includes(line));
  const next = lines.findIndex((line, at) => at > start && titleOf(line) !== undefined);
  const section = lines.slice(start + 1, next < 0 ? undefined : next);
  const last = section.findLastIndex((line) => line.trim() !== '');
  const { lines: changed, done } = adding(
    lines,
    start + 1 + last,
    inStyleOf(section[last] ?? '', step.text('line')),
  );
  return { lines: changed, done: `${done} under "${lines[start]}"` };
}

/** Formats a line like its neighbour in a list: with the same bullet, and as an open task next to tasks. */
function inStyleOf(neighbour: string, text: string): string {
  const [, bullet = '', box = ''] = /^(\s*[-*+] )(\[[ xX]\] )?/.exec(neighbour) ?? [];
  return /^\s*[-*+] /.test(text) ? text : `${bullet}${box === '' ? '' : '[ ] '}${text}`;
}
