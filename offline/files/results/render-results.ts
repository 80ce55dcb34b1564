import type { HandlerContext } from '../../context.ts';
import { fail } from '../../task-error.ts';
import { delimited, markdownTable, type Sheet, toObjects, wholeCell } from './sheet.ts';

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

/** The result of an earlier step. */
export interface Found {
  readonly description: string;
  /** The first line of the description, in quotes. */
  readonly name: string;
  readonly text: string;
  readonly data: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The data fields of a result. */
export const fieldsOf = ({ data }: Found): Fields => (isRecord(data) ? data : {});

/** The earlier results, without those that only wrote files, unless there are no others or they are asked for too. */
export function foundBefore(results: HandlerContext['results'], isOfAll = false): readonly Found[] {
  const all = results.map(({ description, result }) => {
    const fields: Fields =
      typeof result === 'string' ? { text: result } : isRecord(result) ? result : {};
    const { text = JSON.stringify(result ?? null, null, 2) } = fields;
    const name = `"${(description.split('\n')[0] ?? '').trim()}"`;
    return {
      description,
      name,
      text: String(text),
      data: 'text' in fields ? fields['data'] : result,
    };
  });
  const finding = all.filter((one) => isOfAll || !('written' in fieldsOf(one)));
  return finding.length > 0 ? finding : all;
}

/** The table in data: `{columns, rows}`, a list of objects, or an object with exactly one of these. */
export function tableOf(data: unknown): Sheet | undefined {
  const own = tableIn(data);
  if (own || !isRecord(data)) return own;
  const inside = Object.values(data).flatMap((value) => tableIn(value) ?? []);
  return inside.length === 1 ? inside[0] : undefined;
}

function tableIn(data: unknown): Sheet | undefined {
  const { columns, rows, texts } = isRecord(data) ? data : { rows: data };
  if (!Array.isArray(rows)) return undefined;
  const names = Array.isArray(columns)
    ? columns.map((one) => String(isRecord(one) ? one['name'] : one))
    : [...new Set(rows.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))];
  const all = columns && rows.every(Array.isArray) ? rows : listsOf(names, rows);
  const textAt = (at: number) => (Array.isArray(texts) ? texts[at] : undefined);
  return (
    all && {
      columns: names,
      rows: all,
      texts: all.map((row, at) => row.map((cell, column) => textAt(at)?.[column] ?? cell)),
    }
  );
}

/** The fields of objects as rows. */
const listsOf = (names: readonly string[], rows: readonly unknown[]) =>
  names.length > 0 && rows.every(isRecord)
    ? rows.map((row) => names.map((name) => row[name]))
    : undefined;

/** Data for a JSON file: a table becomes a list of objects. */
function plainData(found: Found): unknown {
  const { data = { text: found.text } } = found;
  const { columns, rows } = fieldsOf(found);
  const table = columns && rows ? tableIn(data) : undefined;
  return table ? toObjects(table) : data;
}

/** The number of a result, if it has one. */
export function numberOf(found: Found): number | undefined {
  const { count, value, total, number, rows } = fieldsOf(found);
  const cells = Array.isArray(rows) ? rows.flat() : [];
  const all = [found.data, count, value, total, number, ...(cells.length === 1 ? cells : [])];
  return all.find((one) => typeof one === 'number');
}

/** Plain text of a result: the output of a command, the text of a page, a file or some of its lines. */
export function rawText(found: Found): string | undefined {
  const { content, stdout, body, lines } = fieldsOf(found);
  const text = [content, stdout, body].find((one) => typeof one === 'string');
  return text ?? (Array.isArray(lines) ? lines.map((line) => `${line}\n`).join('') : undefined);
}

/** The one earlier result that a task like "count the lines in it" refers to. @throws TaskError `AMBIGUOUS`. */
export function onlyText(results: HandlerContext['results']): Pick<Found, 'name' | 'text'> {
  const found = foundBefore(results);
  const [only] = found;
  if (only === undefined || found.length > 1)
    return fail('AMBIGUOUS', `There are ${found.length} earlier results. Name the file.`);
  return { name: only.name, text: rawText(only) ?? only.text };
}
