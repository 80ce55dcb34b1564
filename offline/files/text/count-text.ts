import type { HandlerContext, Outcome } from '../../context.ts';
import { type Filled, form } from '../../phrases/form.ts';
import { are, count, deep, place, where } from '../../phrases/fragments.ts';
import { readWhole } from '../file-tool.ts';
import { many } from '../listed.ts';
import { pathsIn, scopeOf, scopesOf } from '../which-files.ts';
import { linesOf, type Source, sourcesOf } from './sources.ts';

const unit =
  '(non-empty lines|non-blank lines|nonempty lines|empty lines|blank lines|lines?|words?|characters?|chars|letters|bytes|paragraphs?)';
const units = `units:(${unit} [[and] ${unit}] [[and] ${unit}] [[and] ${unit}])`;

/** Forms that count lines, words and characters. */
export const countForms = [
  form(
    counting,
    'Count the lines in {file}',
    `${count} ${units} ${are} ${where}`,
    `${count} ${units} (does|do|has|have) [files|file] {files:file+} [have|contain|hold|got]`,
    `${count} ${units} {files:file+} (has|have|contains?|holds?)`,
    `(count|measure) [file] {files:file+} ${units}`,
    `${count} earlier:(its) ${units}`,
    `[what is|give [me]|show [me]|get] units:(line|word|character|byte|paragraph) count (of|for|in) [files|file] {files:file+}`,
    `how (long|many lines long) (is|are) [file] {files:file+} [in units:(lines|words|characters)]`,
  ),
  form(
    countingCode,
    'How many lines of code are in src/?',
    `${count} units:(lines) of [{kind:ending}] code ${are} ${place} ${deep}`,
  ),
];

const filledLines = ({ content }: Source) => linesOf(content).filter((line) => line.trim() !== '');

const counters: Readonly<Record<string, (source: Source) => number>> = {
  lines: ({ content }) => linesOf(content).length,
  'non-empty lines': (source) => filledLines(source).length,
  'empty lines': (source) => linesOf(source.content).length - filledLines(source).length,
  words: ({ content }) => content.match(/\S+/g)?.length ?? 0,
  characters: ({ content }) => [...content].length,
  letters: ({ content }) => content.match(/\p{L}/gu)?.length ?? 0,
  paragraphs: ({ content }) => content.split(/\n\s*\n/).filter((part) => part.trim()).length,
  bytes: ({ bytes }) => bytes,
};

const unitsOf = (filled: Filled): readonly string[] =>
  (filled.word('units') ?? 'lines').split(/,? and |, /).map((word) =>
    word
      .replace(/non-?(?:blank|empty)/, 'non-empty')
      .replace(/^blank/, 'empty')
      .replace('chars', 'characters')
      .replace(/(?<!s)$/, 's'),
  );

async function counting(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const sources = await sourcesOf(filled, context);
  const isNamed = filled.has('earlier') || scopesOf(filled).every(({ isFile }) => isFile);
  return countsOf(sources, unitsOf(filled), isNamed);
}

const codeKinds =
  'js mjs cjs ts tsx jsx py rb go rs java kt swift c h cpp hpp cs php pl sh sql css scss html vue svelte';

/** Counts the lines of every file of a programming language. */
async function countingCode(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, true);
  const globs = scope.globs ?? codeKinds.split(' ').map((ending) => `**/*.${ending}`);
  const sources: Source[] = [];
  for (const path of await pathsIn(context, [{ ...scope, globs }]))
    sources.push({ name: path, path, ...(await readWhole(context, path)) });
  return countsOf(sources, ['lines'], false);
}

/** Counts of each text and, unless they are named, of all together. */
function countsOf(sources: readonly Source[], units: readonly string[], isNamed: boolean): Outcome {
  const rows = sources.map((source) => units.map((unit) => counters[unit]?.(source) ?? 0));
  const inWords = (counts: readonly number[]) =>
    units.map((unit, at) => many(counts[at] ?? 0, unit.replace(/s$/, ''))).join(', ');
  const each = sources.map(({ name }, at) => `${name} has ${inWords(rows[at] ?? [])}.`).join('\n');
  const columns = ['file', ...units];
  const table = { columns, rows: sources.map(({ name }, at) => [name, ...(rows[at] ?? [])]) };
  const total = units.map((_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0));
  if (!isNamed)
    return {
      text: `${many(rows.length, 'file')}, ${inWords(total)} in all:\n\n${each}`,
      data: { total, ...table },
    };
  const text = each.replace(/^./, (letter) => (sources[0]?.path ? letter : letter.toUpperCase()));
  if (rows.length > 1) return { text, data: table };
  const named = units.map((unit, at) => [unit.replace(/\W+/g, '_'), total[at]]);
  const single = units.length === 1 ? { count: total[0] } : {};
  return { text, data: { ...Object.fromEntries(named), ...single, ...table } };
}
