import { TaskError } from '../../task-error.ts';
import { type Found, numberOf, plainData, rawText, type Table, tableOf } from './results.ts';

export type FileFormat = 'markdown' | 'text' | 'json' | 'csv' | 'tsv';

const endings = new Map<string, FileFormat>([
  ['md', 'markdown'],
  ['markdown', 'markdown'],
  ['txt', 'text'],
  ['text', 'text'],
  ['log', 'text'],
  ['out', 'text'],
  ['json', 'json'],
  ['csv', 'csv'],
  ['tsv', 'tsv'],
]);
const stated = new Map<string, FileFormat>([
  ['markdown', 'markdown'],
  ['md', 'markdown'],
  ['text', 'text'],
  ['txt', 'text'],
  ['json', 'json'],
  ['csv', 'csv'],
  ['tsv', 'tsv'],
]);

/**
 * The format of a file by its ending, which has to agree with a stated format.
 *
 * @throws TaskError `NOT_SUPPORTED` for the ending of another kind of file, `INPUT_INVALID` if ending and stated format differ.
 */
export function formatFor(path: string, word: string | undefined): FileFormat {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  const byEnding = ending === '' ? 'text' : endings.get(ending);
  const byWord = word === undefined ? undefined : stated.get(word.toLowerCase());
  if (byEnding === undefined) {
    throw new TaskError(
      'NOT_SUPPORTED',
      `Results can't be saved as ${path}: only .md, .txt, .json, .csv and .tsv files are written. Name such a file.`,
    );
  }
  const isPlain = byEnding === 'text';
  if (byWord !== undefined && byWord !== byEnding && !isPlain) {
    throw new TaskError(
      'INPUT_INVALID',
      `The task says ${word}, and ${path} is named as ${byEnding}. Name one format.`,
    );
  }
  return byWord ?? byEnding;
}

export interface Rendering {
  readonly format: FileFormat;
  readonly title: string | undefined;
  /** What to save: a table, a single number, or everything. */
  readonly part: 'table' | 'number' | 'raw' | 'all';
}

/**
 * The content of a file with these results.
 *
 * @throws TaskError `INPUT_INVALID` if no result has the wanted part, `AMBIGUOUS` if several have.
 */
export function renderResults(found: readonly Found[], { format, title, part }: Rendering): string {
  if (format === 'json') return `${JSON.stringify(jsonOf(found, part), null, 2)}\n`;
  if (format === 'csv' || format === 'tsv')
    return delimited(onlyTable(found), format === 'csv' ? ',' : '\t');
  if (part === 'table') {
    const table = onlyTable(found);
    return format === 'markdown'
      ? `${heading(title)}${markdownTable(table)}`
      : delimited(table, '\t');
  }
  if (part === 'number') return `${onlyNumber(found)}\n`;
  return format === 'markdown' ? report(found, title ?? 'Report') : plainText(found, title, part);
}

function jsonOf(found: readonly Found[], part: Rendering['part']): unknown {
  if (part === 'number') return onlyNumber(found);
  const [only] = found;
  if (found.length === 1 && only !== undefined) return plainData(only);
  return found.map((one) => ({ step: one.description, result: plainData(one) }));
}

function onlyTable(found: readonly Found[]): Table {
  const tables = found.flatMap(({ data }) => tableOf(data) ?? []);
  const [table] = tables;
  if (table === undefined) {
    throw new TaskError(
      'INPUT_INVALID',
      'No earlier step returned a table. Save the results as .md, .txt or .json.',
    );
  }
  if (tables.length > 1) {
    throw new TaskError(
      'AMBIGUOUS',
      `${tables.length} earlier steps gave a table, and this file holds one: save each to a file of its own, or all as .json or .md.`,
    );
  }
  return table;
}

function onlyNumber(found: readonly Found[]): number {
  const numbers = found.flatMap((one) => numberOf(one) ?? []);
  const [number] = numbers;
  if (number !== undefined && numbers.length === 1) return number;
  throw new TaskError(
    'AMBIGUOUS',
    `${numbers.length} earlier steps gave a single number; the task speaks of one.`,
  );
}

const cell = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

const writtenRows = ({ rows, texts }: Table): readonly (readonly unknown[])[] =>
  rows.map((row, at) => row.map((value, column) => texts?.[at]?.[column] ?? value));

/** RFC 4180, with LF. */
function delimited(table: Table, mark: string): string {
  const quote = (text: string) =>
    /["\r\n]/.test(text) || text.includes(mark) ? `"${text.replaceAll('"', '""')}"` : text;
  return [table.columns, ...writtenRows(table)]
    .map((row) => `${row.map((value) => quote(cell(value))).join(mark)}\n`)
    .join('');
}

function markdownTable(table: Table): string {
  const { columns } = table;
  const line = (values: readonly unknown[]) =>
    `| ${values.map((value) => cell(value).replaceAll('|', '\\|').replaceAll(/\r?\n/g, ' ')).join(' | ')} |\n`;
  return `${line(columns)}|${columns.map(() => ' --- |').join('')}\n${writtenRows(table).map(line).join('')}`;
}

const heading = (title: string | undefined) => (title === undefined ? '' : `# ${title}\n\n`);

const sectionTitle = (description: string) =>
  (description.split('\n')[0] ?? '').trim().replace(/[.:]+$/, '');

function report(found: readonly Found[], title: string): string {
  const sections = found.map(
    ({ description, text }) => `## ${sectionTitle(description)}\n\n${text.trim()}\n`,
  );
  return `# ${title}\n\n${sections.join('\n')}`;
}

function plainText(
  found: readonly Found[],
  title: string | undefined,
  part: Rendering['part'],
): string {
  const top = title === undefined ? '' : `${title}\n\n`;
  const [only] = found;
  if (found.length === 1 && only !== undefined) {
    const raw = part === 'raw' ? rawText(only) : undefined;
    return raw === undefined ? `${top}${only.text.trim()}\n` : `${top}${raw}`;
  }
  return (
    top +
    found
      .map(({ description, text }) => `${sectionTitle(description)}\n\n${text.trim()}\n`)
      .join('\n')
  );
}
