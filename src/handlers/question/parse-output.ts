import { atClauseStart } from './clause-start.ts';
import { parseCount } from './number-words.ts';
import { parseShape, type Shape } from './parse-shape.ts';
import { attempt, eat, listOf, type Parser, peek, skipArticles } from './parser.ts';
import { phrases } from './phrases.ts';

export type Format = 'markdown' | 'csv' | 'tsv' | 'json' | 'text';

/** What was said about the form of the answer. */
export interface SaidOutput {
  readonly file?: string | undefined;
  readonly format?: Format | undefined;
  readonly shape?: Shape | undefined;
  /** Names of the columns, in order. */
  readonly keys?: readonly string[] | undefined;
  readonly decimals?: number | undefined;
  readonly isMapping?: boolean | undefined;
  readonly hasHeader?: boolean | undefined;
}

export const writeVerbs = phrases(
  `write|save|store|export|put|output|create|produce|generate|make|dump|print`,
);
const filler =
  phrases(`the results|the result|results|result|the answer|the answers|the output|the table|the list|the figures
  the numbers|them|it|this|that|the report|a report|a file|the file|file|a table|a list|everything|all of it|both|a summary`);
const into =
  phrases(`in the file|to the file|into the file|to a file named|to a file called|in a file called|in a file named|to a file
  into a file|into|to|as|in|named|called|under the name|at`);

/** `write top.json`, `save the results as report.md`. */
export function parseWrite(parser: Parser): SaidOutput | undefined {
  if (!atClauseStart(parser) || !eat(parser, ...writeVerbs)) return undefined;
  let named = eat(parser, ...filler) !== undefined;
  const format = attempt(parser, parseFormatName);
  if (format) eat(parser, 'file', 'report', 'table', 'document', 'list');
  named = eat(parser, ...into) !== undefined || named;
  const between = format ?? attempt(parser, parseFormatName);
  if (between !== undefined) eat(parser, 'to', 'into', 'in', 'file', 'named', 'called');
  eat(parser, 'named', 'called', 'file');
  const token = peek(parser);
  if (token?.kind !== 'file') return undefined;
  parser.at += 1;
  const isSource = attempt({ ...parser }, (inner) =>
    eat(inner, 'to', 'into', 'as') && (peek(inner)?.kind === 'file' || parseFormatName(inner))
      ? true
      : undefined,
  );
  return isSource ? undefined : { file: token.text, format: between };
}

/** `to slow.md`, `into the CSV file slow.csv`, behind a verb that writes. */
export function parseTarget(parser: Parser): SaidOutput | undefined {
  if (!eat(parser, 'to', 'into', 'as', 'in the file')) return undefined;
  const format = attempt(parser, parseFormatName);
  eat(parser, 'the file', 'a file called', 'a file named', 'file', 'to', 'in');
  const token = peek(parser);
  if (token?.kind !== 'file') return undefined;
  parser.at += 1;
  return { file: token.text, format };
}

/** `Convert products.csv to JSON`, `Convert products.csv to products.json`. */
export function parseConvert(parser: Parser): { output: SaidOutput } | undefined {
  if (!eat(parser, 'convert', 'turn', 'transform')) return undefined;
  eat(parser, 'the file', 'the table', 'the csv file', 'the json file', 'the');
  if (peek(parser)?.kind !== 'file') return undefined;
  parser.at += 1;
  if (!eat(parser, 'to', 'into')) return undefined;
  const format = attempt(parser, parseFormatName);
  if (format) eat(parser, 'and write it to', 'and save it as', 'as', 'in', 'file');
  const file = peek(parser)?.kind === 'file' ? peek(parser)?.text : undefined;
  if (file !== undefined) parser.at += 1;
  return file === undefined && format === undefined ? undefined : { output: { file, format } };
}

const formats: readonly (readonly [phrases: readonly string[], format: Format])[] = [
  [['markdown table', 'markdown list', 'markdown document', 'markdown', 'md table'], 'markdown'],
  [['csv table', 'csv file', 'csv', 'comma-separated values', 'comma-separated'], 'csv'],
  [['tsv', 'tab-separated values', 'tab-separated'], 'tsv'],
  [['json array', 'json list', 'json document', 'json file', 'json objects', 'json'], 'json'],
  [['plain text', 'text file', 'text table'], 'text'],
];

function parseFormatName(parser: Parser): Format | undefined {
  skipArticles(parser);
  return formats.find(([phrases]) => eat(parser, ...phrases))?.[1];
}

/** `as JSON`, `in CSV format`, `as a Markdown table`; `as a table` is what every answer is. */
function parseFormat(parser: Parser): SaidOutput | undefined {
  if (eat(parser, 'as a table', 'in a table', 'as table')) return {};
  if (!eat(parser, 'as', 'in', 'formatted as', 'using')) return undefined;
  const format = parseFormatName(parser);
  if (!format) return undefined;
  eat(parser, 'format', 'table', 'list');
  return { format };
}

/** `as a list of {"a", "b"}`, `with {"total": number of rows}`, `as a JSON object {…}`. */
function parseShaped(parser: Parser): SaidOutput | undefined {
  const link = eat(
    parser,
    'as',
    'with',
    'containing',
    'of the form',
    'in the form',
    'holding',
    'shaped like',
    'in the shape',
    'like',
  );
  skipArticles(parser);
  eat(parser, 'json');
  const list = eat(
    parser,
    'list of objects',
    'array of objects',
    'list of',
    'array of',
    'list',
    'array',
    'one object per',
    'objects',
  );
  const single =
    list === undefined
      ? eat(parser, 'single object', 'object', 'one object', 'document')
      : undefined;
  eat(parser, 'with', 'of the form', 'like', 'of', ':', 'with the keys', 'with keys');
  const shape = parseShape(parser);
  if (!shape || (link === undefined && list === undefined && single === undefined))
    return undefined;
  return { format: 'json', shape: { ...shape, isList: shape.isList || list !== undefined } };
}

const headerWords =
  phrases(`with the header line|with the header row|with a header line|with header line|with header row|with the header
  with a header|with header|with the columns|with columns|with column names|and header|and the header|and columns
  and the columns|header|header line|columns|with the fields|with fields|with the keys|with keys|with the column names`);

/** `with header a,b,c`, `with columns a, b and c`: names up to a mark, or as long as commas stand without spaces. */
function parseHeader(parser: Parser): SaidOutput | undefined {
  if (!eat(parser, ...headerWords)) return undefined;
  eat(parser, 'of', ':', 'being');
  const quoted = peek(parser);
  if (quoted?.kind === 'quoted' && quoted.text.includes(',')) {
    parser.at += 1;
    return { keys: quoted.text.split(',').map((key) => key.trim()) };
  }
  const isGlued = isGluedComma(parser, 1);
  const keys = listOf(
    parser,
    (inner) => parseKey(inner, isGlued),
    isGlued ? [','] : [', and', ',', 'and'],
  );
  return keys && { keys };
}

function isGluedComma(parser: Parser, ahead: number): boolean {
  const [before, comma, behind] = [ahead - 1, ahead, ahead + 1].map((at) => peek(parser, at));
  return comma?.text === ',' && before?.end === comma.start && behind?.start === comma.end;
}

function parseKey(parser: Parser, isGlued: boolean): string | undefined {
  const token = peek(parser);
  if (token?.kind !== 'word' && token?.kind !== 'quoted') return undefined;
  if (isGlued && peek(parser, -1)?.text === ',' && peek(parser, -1)?.end !== token.start)
    return undefined;
  const next = peek(parser, 1);
  const isLast = next === undefined || next.kind === 'punct' || next.norm === 'and';
  if (!isGlued && !isLast) return undefined;
  parser.at += 1;
  return token.text;
}

/** `rounded to 2 decimals`, `with two decimal places`, `round to 1 decimal`. */
function parseRounding(parser: Parser): SaidOutput | undefined {
  const verb = eat(
    parser,
    'rounded to',
    'round to',
    'rounding to',
    'rounded',
    'with',
    'to',
    'values rounded to',
    'all values rounded to',
    'numbers rounded to',
    'all numbers rounded to',
    'round all values to',
    'round values to',
    'round the values to',
  );
  if (verb === undefined) return undefined;
  if (
    /^round/.test(verb) &&
    eat(
      parser,
      'to the nearest integer',
      'to whole numbers',
      'to integers',
      'the nearest integer',
      'whole numbers',
      'integers',
    )
  ) {
    return { decimals: 0 };
  }
  const decimals = parseCount(parser);
  if (decimals === undefined || decimals > 15) return undefined;
  return eat(
    parser,
    'decimal places',
    'decimal place',
    'decimals',
    'decimal',
    'digits after the decimal point',
    'decimal digits',
  )
    ? { decimals }
    : undefined;
}

/** Whatever is said about the form of the answer. */
export function parseOutput(parser: Parser): SaidOutput | undefined {
  return (
    attempt(parser, parseWrite) ??
    attempt(parser, parseShaped) ??
    attempt(parser, parseFormat) ??
    attempt(parser, parseHeader) ??
    attempt(parser, parseRounding) ??
    attempt(parser, (inner) =>
      eat(inner, 'without a header', 'without header', 'with no header')
        ? { hasHeader: false }
        : undefined,
    )
  );
}
