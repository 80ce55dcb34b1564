import type { Outcome } from '../../context.ts';
import { formsOf, type Step } from '../../phrases/form.ts';
import { many } from '../file-tool.ts';
import { scopesOf } from '../which-files.ts';
import { linesOf, type Source, sourcesOf } from './sources.ts';

/** Forms that count lines, words and characters. */
export const countForms = formsOf(
  `
unit = (non-empty lines|non-blank lines|nonempty lines|empty lines|blank lines|lines?|words?|characters?|chars|letters|bytes|paragraphs?)
units = units:(<unit> [[and] <unit>] [[and] <unit>] [[and] <unit>])
counting: Count the lines in {file}
  <count> <units> (<are> <where>|<holds>|{files:file+} (has|have|contains?|holds?)|(do|does) (all|every|each|the) [of] [the] files? <place> (have|contain|hold))
`,
  { counting },
);

const filledLines = ({ content }: Source) => linesOf(content).filter((line) => line.trim() !== '');

const counters: Readonly<Record<string, (source: Source) => number>> = {
  line: ({ content }) => linesOf(content).length,
  'non-empty line': (source) => filledLines(source).length,
  'empty line': (source) => linesOf(source.content).length - filledLines(source).length,
  word: ({ content }) => content.match(/\S+/g)?.length ?? 0,
  character: ({ content }) => [...content].length,
  letter: ({ content }) => content.match(/\p{L}/gu)?.length ?? 0,
  paragraph: ({ content }) => content.split(/\n\s*\n/).filter((part) => part.trim()).length,
  byte: ({ bytes }) => bytes,
};

/** The units of a step, in the singular and with one name per unit. */
const unitsOf = (step: Step): readonly string[] =>
  (step.word('units') || 'lines').split(/,? and |, /).map((word) =>
    word
      .replace(/non-?(?:blank|empty)/, 'non-empty')
      .replace(/^blank/, 'empty')
      .replace(/^char(?:acter)?s?$/, 'character')
      .replace(/s$/, ''),
  );

async function counting(step: Step): Promise<Outcome> {
  const isNamed = step.has('earlier') || scopesOf(step).every(({ isFile }) => isFile);
  return countsOf(await sourcesOf(step), unitsOf(step), isNamed);
}

/** Counts for each text and, unless each is named, in total. */
function countsOf(sources: readonly Source[], units: readonly string[], isNamed: boolean): Outcome {
  const rows = sources.map((source) => units.map((unit) => counters[unit]?.(source) ?? 0));
  const inWords = (counts: readonly number[] = []) =>
    units.map((unit, at) => many(counts[at] ?? 0, unit)).join(', ');
  const each = sources.map(({ name }, at) => `${name} has ${inWords(rows[at])}.`).join('\n');
  const columns = units.map((unit) => `${unit}s`);
  const named = sources.map(({ name }, at) => [name, ...(rows[at] ?? [])]);
  const data = { columns: ['file', ...columns], rows: named };
  const total = units.map((_, at) => rows.reduce((sum, row) => sum + (row[at] ?? 0), 0));
  if (!isNamed) {
    const text = `${many(rows.length, 'file')}, ${inWords(total)} in all:\n\n${each}`;
    return { text, data: { total, ...data } };
  }
  const text = each.replace(/^the result/, 'The result');
  if (rows.length > 1) return { text, data };
  const counts = columns.map((unit, at) => [unit.replace(/\W+/g, '_'), total[at]]);
  const single = units.length === 1 ? { count: total[0] } : {};
  return { text, data: { ...Object.fromEntries(counts), ...single, ...data } };
}
