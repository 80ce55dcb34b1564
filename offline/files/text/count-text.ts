import type { HandlerContext, Outcome } from '../../context.ts';
import { type Filled, form, need } from '../../phrases/form.ts';
import {
  anyCase,
  count,
  deep,
  earlier,
  edge,
  has,
  needle,
  negation,
  place,
} from '../../phrases/fragments.ts';
import { TaskError } from '../../task-error.ts';
import { readWhole, searchLines } from '../file-tool.ts';
import { onlyText } from '../results/results.ts';
import { pathsOf, wantedOf } from '../wanted-files.ts';
import { isInCapitals, needleOf } from './needle.ts';

const unit =
  '(non-empty lines|non-blank lines|nonempty lines|empty lines|blank lines|lines?|words?|characters?|chars|letters|bytes|paragraphs?)';
const units = `units:(${unit} [[and] ${unit}] [[and] ${unit}] [[and] ${unit}])`;
const are = '[are there|are|there are|is]';

/** Forms that count lines, words and characters, or lines with a text. */
export const countForms = [
  form(
    countingResult,
    'Count the lines in it',
    `${count} ${units} ${are} (in|of) ${earlier}`,
    `${count} its ${units}`,
  ),
  form(
    counting,
    'Count the lines in {file}',
    `${count} ${units} ${are} (in|of|from) [files|file|each of] {files:file+}`,
    `${count} ${units} (does|do|has|have) [files|file] {files:file+} [have|contain|hold|got]`,
    `${count} ${units} {files:file+} (has|have|contains?|holds?)`,
    `(count|measure) [file] {files:file+} ${units}`,
    `units:(line|word|character|byte|paragraph) count (of|for|in) [files|file] {files:file+}`,
    `how (long|many lines long) (is|are) [file] {files:file+} [in units:(lines|words|characters)]`,
    `(what is|give [me]|show [me]|get) (units:(line|word|character) count|word count) (of|for|in) {files:file+}`,
  ),
  form(
    countingAll,
    'Count the lines in all .md files',
    `${count} ${units} ${are} (in|of|from) [all|each|every] ({kind:ending} files?|{kind:glob} [files?]|[of] files?) ${place} ${deep}`,
  ),
  form(
    countingCode,
    'How many lines of code are in src/?',
    `${count} units:(lines) of code ${are} ${place} ${deep}`,
    `${count} units:(lines) of ({kind:ending}) code ${are} ${place} ${deep}`,
  ),
  form(
    matching,
    'Count the lines in {file} that contain "ERROR"',
    `${count} lines ${are} (in|of) {file} [that|which] ${negation} (${has}|${edge}) ${needle} ${anyCase}`,
    `${count} lines [that|which] ${negation} (${has}|${edge}) ${needle} ${are} (in|of) {file} ${anyCase}`,
  ),
  form(
    capitals,
    'Count the lines in {file} that contain "ERROR"',
    `${count} {bare:name} lines ${are} (in|of|from) {file}`,
  ),
  form(
    occurrences,
    'How often does "error" occur in {file}?',
    `(how often|how many times|count how often|count how many times) [does|do|is] ${needle} (occurs?|appears?|mentioned|is mentioned|found|used|come up) [in] {file} ${anyCase}`,
    `${count} (occurrences?|times|appearances|mentions|instances) of ${needle} (in|of) {file} ${anyCase}`,
  ),
];

interface Size {
  readonly content: string;
  readonly bytes: number;
}

const filledLines = (content: string) =>
  content.split('\n').filter((line) => line.trim() !== '').length;

/** A last line without a line break counts. */
const lineCount = (content: string) =>
  content.split('\n').length - (content.endsWith('\n') || content === '' ? 1 : 0);

const counters = new Map<string, (size: Size) => number>([
  ['lines', ({ content }) => lineCount(content)],
  ['non-empty lines', ({ content }) => filledLines(content)],
  ['empty lines', ({ content }) => lineCount(content) - filledLines(content)],
  ['words', ({ content }) => content.match(/\S+/g)?.length ?? 0],
  ['characters', ({ content }) => [...content].length],
  ['letters', ({ content }) => content.match(/\p{L}/gu)?.length ?? 0],
  ['paragraphs', ({ content }) => content.split(/\n\s*\n/).filter((part) => part.trim()).length],
  ['bytes', ({ bytes }) => bytes],
]);

const unitsOf = (filled: Filled): readonly string[] =>
  (filled.word('units') ?? 'lines').split(/,? and |, /).map((word) =>
    word
      .trim()
      .replace('non-blank', 'non-empty')
      .replace('nonempty', 'non-empty')
      .replace('blank', 'empty')
      .replace('chars', 'characters')
      .replace(/(?<!s)$/, 's'),
  );

const measure = (size: Size, units: readonly string[]) =>
  units.map((unit) => counters.get(unit)?.(size) ?? 0);

const amount = (number: number, unit: string) =>
  `${number} ${number === 1 ? unit.replace(/s$/, '') : unit}`;

const listOf = (names: readonly string[], counts: readonly number[]) =>
  names.map((name, at) => amount(counts[at] ?? 0, name)).join(', ');

function countingResult(filled: Filled, context: HandlerContext): Outcome {
  const { name, text } = onlyText(context.results);
  const units = unitsOf(filled);
  const counts = measure({ content: text, bytes: Buffer.byteLength(text) }, units);
  const single = counts.length === 1 ? { count: counts[0] } : {};
  return {
    text: `The result of ${name} has ${listOf(units, counts)}.`,
    data: { ...single, columns: units, rows: [counts] },
  };
}

const codeKinds = [
  ...['js', 'mjs', 'cjs', 'ts', 'tsx', 'jsx', 'py', 'rb', 'go', 'rs', 'java', 'kt', 'swift'],
  ...[
    'c',
    'h',
    'cpp',
    'hpp',
    'cs',
    'php',
    'pl',
    'sh',
    'sql',
    'css',
    'scss',
    'html',
    'vue',
    'svelte',
  ],
];

/** Counts the lines of every file of a programming language. */
async function countingCode(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const wanted = wantedOf(filled, true);
  const globs = wanted.globs ?? codeKinds.map((ending) => `**/*.${ending}`);
  const paths = await pathsOf(context, { ...wanted, globs });
  return countOutcome(await countIn(context, paths, ['lines']), ['lines']);
}

type CountRow = readonly [path: string, ...counts: number[]];

async function countIn(
  context: HandlerContext,
  paths: readonly string[],
  units: readonly string[],
): Promise<readonly CountRow[]> {
  const rows: CountRow[] = [];
  for (const path of paths) rows.push([path, ...measure(await readWhole(context, path), units)]);
  return rows;
}

const sentences = (units: readonly string[], rows: readonly CountRow[]) =>
  rows.map(([path, ...counts]) => `${path} has ${listOf(units, counts)}.`).join('\n');

async function counting(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const units = unitsOf(filled);
  const rows = await countIn(context, filled.texts('files'), units);
  const [first] = rows;
  const named = units.map((name, at) => [name.replace(/\W+/g, '_'), first?.[at + 1]]);
  const single = units.length === 1 ? { count: first?.[1] } : {};
  const each = rows.length === 1 ? { ...Object.fromEntries(named), ...single } : {};
  return { text: sentences(units, rows), data: { ...each, columns: ['file', ...units], rows } };
}

/** Counts in each file of a kind, and in total. */
async function countingAll(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const wanted = wantedOf(filled, false);
  const units = unitsOf(filled);
  return countOutcome(await countIn(context, await pathsOf(context, wanted), units), units);
}

function countOutcome(rows: readonly CountRow[], units: readonly string[]): Outcome {
  const total = units.map((_, at) => rows.reduce((sum, row) => sum + Number(row[at + 1]), 0));
  return {
    text: `${amount(rows.length, 'files')}, ${listOf(units, total)} in all:\n\n${sentences(units, rows)}`,
    data: { total, columns: ['file', ...units], rows },
  };
}

async function matching(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'file');
  const needle = needleOf(filled);
  const isNot = filled.word('not') !== undefined;
  const pattern = isNot ? `^(?!.*(?:${needle.pattern}))` : needle.pattern;
  const { total } = await searchLines(context, path, { pattern, ignoreCase: needle.ignoreCase });
  const line = filled.word('line');
  const where = line === undefined ? 'contain' : line.startsWith('end') ? 'end with' : 'start with';
  return {
    text: `${total} line${total === 1 ? '' : 's'} of ${path} ${isNot ? 'do not ' : ''}${where} ${needle.shown}${needle.ignoreCase ? ' (in any letter case)' : ''}.`,
    data: { count: total, path },
  };
}

/** `ERROR lines` contain that word; `error lines` may mean anything. */
function capitals(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const word = filled.text('bare') ?? '';
  if (isInCapitals(word)) return matching(filled, context);
  throw new TaskError(
    'NOT_UNDERSTOOD',
    `It is not clear which lines "${word} lines" are: ask for the lines that contain "${word}", with the word in quotes.`,
  );
}

async function occurrences(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = need(filled, 'file');
  const needle = needleOf(filled);
  const { matches, total, truncated } = await searchLines(context, path, needle);
  const pattern = new RegExp(needle.pattern, needle.ignoreCase ? 'gi' : 'g');
  const { content } = truncated
    ? await readWhole(context, path)
    : { content: matches.map(({ text }) => text).join('\n') };
  const found = content.match(pattern)?.length ?? 0;
  return {
    text: `${needle.shown} occurs ${found} ${found === 1 ? 'time' : 'times'} in ${path}, on ${total} ${total === 1 ? 'line' : 'lines'}${needle.ignoreCase ? ' (in any letter case)' : ''}.`,
    data: { count: found, lines: total, path },
  };
}
