import { TaskError } from '../../../offline/task-error.ts';
import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { type Filled, type Form, form, need } from '../instruction/form.ts';
import { kindWords } from './file-kinds.ts';
import { type Act, type Outcome, readWhole, searchLines } from './file-tool.ts';
import { caseForm, needleForm, needleOf } from './needle.ts';
import { deepForm, placeForm, shownPlace } from './place.ts';
import { onlyText } from './results.ts';
import { listed, wantedOf } from './wanted-files.ts';

const unit =
  '(?:non-empty lines|non-blank lines|empty lines|blank lines|lines|words|characters|chars|bytes)';
const units = `(?<units>${unit}(?:(?:, and |, | and )${unit})*)`;
const count =
  '(?:count(?: how many| number of)?|how many|what is number of|number of|tell me (?:how many|number of)|find (?:out )?(?:how many|number of)|determine number of|report number of|get number of|give (?:me )?number of)(?: all)?';
const has =
  '(?:contain|contains|containing|have|has|with|match|matches|matching|mention|mentions|mentioning|include|including)';

/** Forms that count lines, words and characters, or lines with a text. */
export const countForms: readonly Form<Act>[] = [
  form(
    `${count} ${units}(?: are| are there| there are)? (?:in|of|from) (?:files? |each of )?<files:file+>`,
    counting,
  ),
  form(
    `${count} ${units}(?: are| are there| there are)? (?:in|of|from) (?:all |each |every )?(?:(?<kind>${kindWords}) files?|<glob:glob>(?: files?)?)${placeForm}${deepForm}`,
    countingAll,
  ),
  form(
    `${count} ${units} (?:does|do|has|have) (?:files? )?<files:file+>(?: have| contain| hold| got)?`,
    counting,
  ),
  form(`${count} ${units} <files:file+> (?:has|have|contains?|holds?)`, counting),
  form(`(?:count|measure) (?:file )?<files:file+>(?:'s)? ${units}`, counting),
  form(
    `${count} lines (?:are |are there )?(?:in|of) <file:file> (?:that |which )?(?<not>do not |don't )?${has} ${needleForm}${caseForm}`,
    matching,
  ),
  form(
    `${count} lines (?:that |which )?(?<not>do not |don't )?${has} ${needleForm} (?:are |are there )?(?:in|of) <file:file>${caseForm}`,
    matching,
  ),
  form(
    `${count} lines (?:in|of) <file:file> (?<line>start|begin|end)(?:s|ing)? with ${needleForm}${caseForm}`,
    matching,
  ),
  form(
    `${count} lines (?<line>start|begin|end)(?:s|ing)? with ${needleForm} (?:in|of) <file:file>${caseForm}`,
    matching,
  ),
  form(`${count} (?<bare>\\w+) lines (?:are |are there )?(?:in|of|from) <file:file>`, capitals),
  form(
    `(?:how often|how many times) (?:does |do )?${needleForm} (?:occurs?|appears?|is mentioned|found)(?: in)? <file:file>${caseForm}`,
    occurrences,
  ),
  form(
    `${count} (?:occurrences?|times|appearances|mentions) of ${needleForm} (?:in|of) <file:file>${caseForm}`,
    occurrences,
  ),
];

const inResult = '(?:in|of) (?:it|them|output|results?|page|text|response|its text)';

/** Forms that count in what one earlier step found. */
export const countResultForms: readonly Form<Act>[] = [
  form(`${count} ${units}(?: are| are there| there are)? ${inResult}`, countingResult),
  form(`${count} its ${units}`, countingResult),
];

function countingResult(filled: Filled): Act {
  return async (context): Promise<Outcome> => {
    const { name, text } = onlyText(context.results);
    const wanted = (filled.word('units') ?? '').split(/, and |, | and /i).map(unitName);
    const bytes = new TextEncoder().encode(text).length;
    const numbers = wanted.map((unit) => counters.get(unit)?.(text, bytes) ?? 0);
    const said = numbers.map((number, index) => `${number} ${wanted[index]}`);
    const single = numbers.length === 1 ? { count: numbers[0] } : {};
    return {
      text: `The result of ${name} has ${said.join(', ')}.`,
      data: { ...single, columns: wanted, rows: [numbers] },
    };
  };
}

const counters = new Map<string, (content: string, bytes: number) => number>([
  ['lines', (content) => lineCount(content)],
  ['non-empty lines', (content) => content.split('\n').filter((line) => line.trim() !== '').length],
  [
    'empty lines',
    (content) =>
      lineCount(content) - content.split('\n').filter((line) => line.trim() !== '').length,
  ],
  ['words', (content) => content.match(/\S+/g)?.length ?? 0],
  ['characters', (content) => [...content].length],
  ['bytes', (_content, bytes) => bytes],
]);

/** A last line without an end counts as one. */
const lineCount = (content: string) =>
  content.split('\n').length - (content.endsWith('\n') || content === '' ? 1 : 0);

const unitName = (word: string) =>
  word.toLowerCase().replace('blank', 'empty').replace('chars', 'characters');

function counting(filled: Filled): Act {
  return async (context): Promise<Outcome> => {
    const paths = filled.atoms('files').map(({ value }) => value);
    const { units: wanted, rows } = await countIn(context, filled, paths);
    const [first] = rows;
    const single = rows.length === 1 && wanted.length === 1 ? { count: first?.[1] } : {};
    const each =
      rows.length === 1
        ? Object.fromEntries(
            wanted.map((name, index) => [name.replace(/\W+/g, '_'), first?.[index + 1]]),
          )
        : {};
    return {
      text: sentences(wanted, rows),
      data: { ...each, ...single, columns: ['file', ...wanted], rows },
    };
  };
}

/** Files that are read for one answer. */
const maxFiles = 200;

/** Counts in every file of a kind, and in all of them together. */
function countingAll(filled: Filled): Act {
  return async (context): Promise<Outcome> => {
    const wanted = wantedOf(filled, false);
    const { entries } = await listed(context, wanted);
    const paths = entries.filter(({ kind }) => kind === 'file').map(({ path }) => path);
    const which = `${wanted.globs?.join(', ')} in ${shownPlace(wanted.path)}`;
    if (paths.length === 0) throw new TaskError('NOT_FOUND', `There is no ${which}.`);
    if (paths.length > maxFiles) {
      throw new TaskError(
        'INPUT_TOO_LARGE',
        `There are ${paths.length} files ${which}; at most ${maxFiles} are read for one answer. Name a folder.`,
      );
    }
    const { units: names, rows } = await countIn(context, filled, paths.toSorted());
    const totals = names.map((_, at) => rows.reduce((sum, row) => sum + Number(row[at + 1]), 0));
    const lead = `${amount(rows.length, 'files')}, ${listOf(names, totals)} in all:`;
    return {
      text: `${lead}\n\n${sentences(names, rows)}`,
      data: { total: totals, columns: ['file', ...names], rows },
    };
  };
}

type CountRow = readonly [path: string, ...counts: number[]];

async function countIn(
  context: HandlerContext,
  filled: Filled,
  paths: readonly string[],
): Promise<{ readonly units: readonly string[]; readonly rows: readonly CountRow[] }> {
  const names = (filled.word('units') ?? '').split(/, and |, | and /i).map(unitName);
  const rows: CountRow[] = [];
  for (const path of paths) {
    const { content, bytes } = await readWhole(context, path);
    rows.push([path, ...names.map((name) => counters.get(name)?.(content, bytes) ?? 0)]);
  }
  return { units: names, rows };
}

const amount = (number: number, unit: string) =>
  `${number} ${number === 1 ? unit.replace(/s$/, '') : unit}`;

const listOf = (names: readonly string[], counts: readonly number[]) =>
  names.map((name, at) => amount(counts[at] ?? 0, name)).join(', ');

const sentences = (names: readonly string[], rows: readonly CountRow[]) =>
  rows.map(([path, ...counts]) => `${path} has ${listOf(names, counts)}.`).join('\n');

function matching(filled: Filled): Act {
  return async (context) => {
    const path = need(filled, 'file').value;
    const needle = needleOf(filled);
    const isNot = filled.word('not') !== undefined;
    const pattern = isNot ? `^(?!.*(?:${needle.pattern}))` : needle.pattern;
    const { total } = await searchLines(context, path, { pattern, ignoreCase: needle.ignoreCase });
    const where =
      filled.word('line') === undefined ? 'contain' : `${filled.word('line')?.toLowerCase()} with`;
    return {
      text: `${total} line${total === 1 ? '' : 's'} of ${path} ${isNot ? 'do not ' : ''}${where} ${needle.shown}${needle.ignoreCase ? ' (in any letter case)' : ''}.`,
      data: { count: total, path },
    };
  };
}

/** `ERROR lines` are those that hold the word; `error lines` may mean anything. */
function capitals(filled: Filled): Act {
  const word = filled.word('bare') ?? '';
  if (/^[A-Z][A-Z0-9_]+$/.test(word)) return matching(filled);
  throw new TaskError(
    'NOT_UNDERSTOOD',
    `It is not clear which lines "${word} lines" are: ask for the lines that contain "${word}", with the word in quotes.`,
  );
}

function occurrences(filled: Filled): Act {
  return async (context) => {
    const path = need(filled, 'file').value;
    const needle = needleOf(filled);
    const { matches, total, truncated } = await searchLines(context, path, needle);
    const pattern = new RegExp(needle.pattern, needle.ignoreCase ? 'gi' : 'g');
    const { content } = truncated
      ? await readWhole(context, path)
      : { content: matches.map(({ text }) => text).join('\n') };
    const found = content.match(pattern)?.length ?? 0;
    return {
      text: `${needle.shown} occurs ${found} times in ${path}, on ${total} lines${needle.ignoreCase ? ' (in any letter case)' : ''}.`,
      data: { count: found, lines: total, path },
    };
  };
}
