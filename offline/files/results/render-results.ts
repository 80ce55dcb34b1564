import { TaskError } from '../../task-error.ts';
import { type Found, numberOf, plainData, rawText, type Table, tableOf } from './results.ts';

export type FileFormat = 'markdown' | 'text' | 'json' | 'csv' | 'tsv';

/** Endings of files, and words for formats. */
const formats: Readonly<Record<string, FileFormat>> = {
  ...{ md: 'markdown', markdown: 'markdown', json: 'json', csv: 'csv', tsv: 'tsv' },
  ...{ txt: 'text', text: 'text', log: 'text', out: 'text' },
};

/**
 * The format of a file by its ending, which has to agree with a stated format.
 *
 * @throws TaskError `NOT_SUPPORTED` for the ending of another kind of file, `INPUT_INVALID` if ending and stated format differ.
 */
export function formatFor(path: string, word: string | undefined): FileFormat {
  const ending = /\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? 'text';
  const [byEnding, byWord] = [formats[ending], formats[word?.toLowerCase() ?? '']];
  if (byEnding === undefined)
    throw new TaskError(
      'NOT_SUPPORTED',
      `Results can't be saved as ${path}: only .md, .txt, .json, .csv and .tsv files are written. Name such a file.`,
    );
  if (byWord !== undefined && byWord !== byEnding && byEnding !== 'text')
    throw new TaskError(
      'INPUT_INVALID',
      `The task says ${word}, and ${path} is named as ${byEnding}. Name one format.`,
    );
  return byWord ?? byEnding;
}

export interface Rendering {
  readonly format: FileFormat;
  readonly title: string | undefined;
  /** What to save: a table, a single number, plain text as it is, or everything. */
  readonly part: 'table' | 'number' | 'raw' | 'all';
}

/**
 * The content of a file with these results.
 *
 * @throws TaskError `INPUT_INVALID` if no result has the wanted part, `AMBIGUOUS` if several have.
 */
export function renderResults(found: readonly Found[], rendering: Rendering): string {
  const { format, title, part } = rendering;
  const isMarkdown = format === 'markdown';
  const top = title === undefined ? '' : `${isMarkdown ? '# ' : ''}${title}\n\n`;
  if (format === 'json') return `${JSON.stringify(jsonOf(found, part), null, 2)}\n`;
  if (format === 'csv') return delimited(onlyTable(found), ',');
  if (part === 'table' && isMarkdown) return `${top}${markdownTable(onlyTable(found))}`;
  if (part === 'table' || format === 'tsv') return delimited(onlyTable(found), '\t');
  if (part === 'number') return `${onlyNumber(found)}\n`;
  if (isMarkdown) return `${top || '# Report\n\n'}${sections(found, '## ')}`;
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return `${top}${sections(found, '')}`;
  return `${top}${(part === 'raw' && rawText(only)) || `${only.text.trim()}\n`}`;
}

const sections = (found: readonly Found[], mark: string) =>
  found
    .map(
      ({ name, text }) => `${mark}${name.slice(1, -1).replace(/[.:]+$/, '')}\n\n${text.trim()}\n`,
    )
    .join('\n');

function jsonOf(found: readonly Found[], part: Rendering['part']): unknown {
  if (part === 'number') return onlyNumber(found);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return plainData(only);
  return found.map((one) => ({ step: one.description, result: plainData(one) }));
}

function onlyTable(found: readonly Found[]): Table {
  const [table, ...others] = found.flatMap(({ data }) => tableOf(data) ?? []);
  if (table === undefined)
    throw new TaskError(
      'INPUT_INVALID',
      'No earlier step returned a table. Save the results as .md, .txt or .json.',
    );
  if (others.length === 0) return table;
  throw new TaskError(
    'AMBIGUOUS',
    `${others.length + 1} earlier steps gave a table, and this file holds one: save each to a file of its own, or all as .json or .md.`,
  );
}

function onlyNumber(found: readonly Found[]): number {
  const [number, ...others] = found.flatMap((one) => numberOf(one) ?? []);
  if (number !== undefined && others.length === 0) return number;
  const count = number === undefined ? 0 : others.length + 1;
  throw new TaskError(
    'AMBIGUOUS',
    `${count} earlier steps gave a single number; the task speaks of one.`,
  );
}

const cell = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

const cellsOf = ({ columns, rows, texts }: Table): readonly (readonly string[])[] => [
  columns,
  ...rows.map((row, at) => row.map((value, column) => cell(texts?.[at]?.[column] ?? value))),
];

/** RFC 4180, with LF. */
function delimited(table: Table, mark: string): string {
  const quote = (text: string) =>
    /["\r\n]/.test(text) || text.includes(mark) ? `"${text.replaceAll('"', '""')}"` : text;
  return cellsOf(table)
    .map((row) => `${row.map(quote).join(mark)}\n`)
    .join('');
}

function markdownTable(table: Table): string {
  const lines = cellsOf(table).map((row) => {
    const cells = row.map((text) => text.replaceAll('|', '\\|').replaceAll(/\r?\n/g, ' '));
    return `| ${cells.join(' | ')} |\n`;
  });
  return lines.toSpliced(1, 0, `|${' --- |'.repeat(table.columns.length)}\n`).join('');
}
