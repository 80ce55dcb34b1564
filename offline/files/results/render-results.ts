import { fail } from '../../task-error.ts';
import { type Found, numberOf, plainData, rawText, tableOf } from './results.ts';
import { delimited, markdownTable, type Sheet, wholeCell } from './sheet.ts';

/** A format in which results are saved. */
export type FileFormat = 'markdown' | 'text' | 'json' | 'csv' | 'tsv';

/** Formats by file extension and by their names in tasks. */
const formats: Readonly<Record<string, FileFormat>> = {
  ...{ md: 'markdown', markdown: 'markdown', json: 'json', csv: 'csv', tsv: 'tsv' },
  ...{ txt: 'text', text: 'text', log: 'text', out: 'text' },
};

/** The format of a file by its extension, which must agree with the format that the task states, if any. */
export function formatFor(path: string, word = ''): FileFormat {
  const ending = /\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? 'text';
  const [byEnding, byWord] = [formats[ending], formats[word.toLowerCase()]];
  if (byEnding === undefined)
    return fail('NOT_SUPPORTED', `Results can be .md, .txt, .json, .csv or .tsv, not ${path}.`);
  if (byWord !== undefined && byWord !== byEnding && byEnding !== 'text')
    fail('INPUT_INVALID', `The task says ${word}, but ${path} is ${byEnding}. Change one.`);
  return byWord ?? byEnding;
}

/** How results are written. */
export interface Rendering {
  readonly format: FileFormat;
  /** Empty: no title. */
  readonly title: string;
  /** What to save: a table, a single number, plain text as it is, or everything. */
  readonly part: 'table' | 'number' | 'raw' | 'all';
}

/** Renders results as the content of a file. @throws TaskError if no result has the wanted part, or several have. */
export function renderResults(found: readonly Found[], rendering: Rendering): string {
  const { format, title, part } = rendering;
  if (format === 'json') return `${JSON.stringify(jsonOf(found, part), null, 2)}\n`;
  if (format === 'csv') return delimited(onlyTable(found), ',');
  if (format === 'tsv') return delimited(onlyTable(found), '\t');
  if (part === 'number') return `${onlyNumber(found)}\n`;
  return format === 'markdown' ? markdown(found, title, part) : plainText(found, title, part);
}

function markdown(found: readonly Found[], title: string, part: Rendering['part']): string {
  const top = title === '' ? '' : `# ${title}\n\n`;
  if (part === 'table') return `${top}${markdownTable(onlyTable(found), wholeCell)}\n`;
  return `${top || '# Report\n\n'}${sections(found, '## ')}`;
}

function plainText(found: readonly Found[], title: string, part: Rendering['part']): string {
  if (part === 'table') return delimited(onlyTable(found), '\t');
  const top = title === '' ? '' : `${title}\n\n`;
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return `${top}${sections(found, '')}`;
  const raw = part === 'raw' ? rawText(only) : undefined;
  return `${top}${raw ?? `${only.text.trim()}\n`}`;
}

const sections = (found: readonly Found[], mark: string) =>
  found
    .map(({ name, text }) => [name.slice(1, -1).replace(/[.:]+$/, ''), text.trim()])
    .map(([title, text]) => `${mark}${title}\n\n${text}\n`)
    .join('\n');

function jsonOf(found: readonly Found[], part: Rendering['part']): unknown {
  const all = found.map((one) => ({ step: one.description, result: plainData(one) }));
  if (part === 'number') return onlyNumber(found);
  return all.length === 1 ? all[0]?.result : all;
}

function onlyTable(found: readonly Found[]): Sheet {
  const [table, ...others] = found.flatMap(({ data }) => tableOf(data) ?? []);
  if (others.length > 0)
    fail('AMBIGUOUS', `${others.length + 1} steps gave a table. Save each to its own file.`);
  return (
    table ?? fail('INPUT_INVALID', 'No step returned a table. Save the results as .md or .json.')
  );
}

function onlyNumber(found: readonly Found[]): number {
  const numbers = found.flatMap((one) => numberOf(one) ?? []);
  const [number] = numbers;
  if (number !== undefined && numbers.length === 1) return number;
  return fail('AMBIGUOUS', `${numbers.length} steps gave a number. Save as .md or .json.`);
}
