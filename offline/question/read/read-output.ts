import { type Format, formats, writeVerbs } from '../../language/lexicon.ts';
import type { Shape, ShapeEntry } from '../sql/query.ts';
import { attempt, eat, eatNumber, isAtEnd, peek, type Reader, skip } from './reader.ts';

/** Words about the form of the answer: its file, format, columns, shape, decimals. */
export const readOutput = (reader: Reader): boolean =>
  (attempt(reader, readTarget) ??
    attempt(reader, readShaped) ??
    attempt(reader, readWrite) ??
    attempt(reader, readConvert) ??
    attempt(reader, readFormat) ??
    attempt(reader, readHeader) ??
    attempt(reader, readRounding)) === true;

const filler = [
  ...['the results', 'the result', 'results', 'result'],
  'the answer',
  'the output',
  'the table',
  'the list',
  'the figures',
  'them',
  'it',
  'this',
  'that',
  'the report',
  'a report',
  'a file',
  'the file',
  'file',
  'a table',
  'a list',
  'everything',
];

const into = [
  'to the file',
  'to file',
  'in the file',
  'into the file',
  'to a file called',
  'to a file named',
  'into',
  'to',
  'as',
  'in',
  'named',
  'called',
  'as a file called',
];

/** `write top.json`, `save the results as report.csv` */
function readWrite(reader: Reader): true | undefined {
  eat(reader, [',', 'and', 'then', ', then', 'and then', ', and']);
  if (!eat(reader, writeVerbs)) return undefined;
  eat(reader, filler);
  const format = attempt(reader, eatFormat);
  eat(reader, ['file', 'report', 'table', 'called', 'named']);
  eat(reader, into);
  const late = format ?? attempt(reader, eatFormat);
  eat(reader, ['file', 'called', 'named', 'to', 'as', 'in', 'with the name']);
  const token = peek(reader);
  if (token?.kind !== 'file' || reader.query.file !== undefined) return undefined;
  reader.at += 1;
  eat(reader, [':']);
  reader.query.file = token.text;
  reader.query.format = late ?? reader.query.format;
  return true;
}

/** `… as fr.csv`, `… to the file fr.csv` */
function readTarget(reader: Reader): true | undefined {
  const { query, table } = reader;
  if (
    !eat(reader, [
      'as',
      'to',
      'into',
      'in the file',
      'to the file',
      'as the file',
      'to a file called',
      'to a file named',
    ])
  )
    return undefined;
  const format = attempt(reader, eatFormat);
  eat(reader, ['file', 'called', 'named', 'as', 'to', 'in']);
  const token = peek(reader);
  if (token?.kind !== 'file' || token.text === table.path || query.file !== undefined)
    return undefined;
  reader.at += 1;
  query.file = token.text;
  query.format = format ?? query.format;
  return true;
}

/** `Convert products.csv to JSON`, `Convert products.csv to products.json` */
function readConvert(reader: Reader): true | undefined {
  const { query } = reader;
  if (!eat(reader, ['convert', 'turn', 'transform', 'change'])) return undefined;
  skip(reader, ['the', 'file', 'table']);
  if (peek(reader)?.kind !== 'file') return undefined;
  reader.at += 1;
  if (!eat(reader, ['to', 'into'])) return undefined;
  const format = attempt(reader, eatFormat);
  eat(reader, ['and write it to', 'and save it as', 'as', 'in']);
  const token = peek(reader);
  if (token?.kind === 'file') {
    query.file = token.text;
    reader.at += 1;
  } else if (format === undefined) return undefined;
  query.format = format ?? query.format;
  query.subject = 'rows';
  return true;
}

function eatFormat(reader: Reader): Format | undefined {
  skip(reader);
  const found = formats.find(([words]) => eat(reader, words));
  if (found) eat(reader, ['format', 'table', 'list']);
  return found?.[1];
}

/** `as JSON`, `in CSV format`; `as a table` changes nothing. */
function readFormat(reader: Reader): true | undefined {
  if (eat(reader, ['as a table', 'in a table', 'as table', 'as a list', 'in a list'])) return true;
  if (!eat(reader, ['as', 'in', 'formatted as', 'using', 'to'])) return undefined;
  const format = eatFormat(reader);
  if (!format) return undefined;
  reader.query.format = format;
  return true;
}

const headers = [
  'with the header line',
  'with a header line',
  'with header line',
  'with the header',
  'with a header',
  'with header',
  'with the columns',
  'with columns',
  'with column names',
  'with the keys',
  'with keys',
  'with the fields',
  'with fields',
  'header',
  'columns:',
  'and the columns',
  'and columns',
];

/** `with header a,b,c`, `with columns a, b and c` */
function readHeader(reader: Reader): true | undefined {
  if (eat(reader, ['without a header', 'without header', 'with no header'])) {
    reader.query.hasHeader = false;
    return true;
  }
  if (!eat(reader, headers)) return undefined;
  eat(reader, [':', 'of']);
  const quoted = peek(reader);
  if (quoted?.kind === 'quote' && quoted.text.includes(',')) {
    reader.at += 1;
    reader.query.keys = quoted.text.split(',').map((key) => key.trim());
    return true;
  }
  const keys = namesAhead(reader);
  if (keys.length < 2) return undefined;
  reader.query.keys = keys;
  return true;
}

/** Names separated by commas; without spaces after the commas, up to the first space. */
function namesAhead(reader: Reader): string[] {
  const keys: string[] = [];
  const isGlued = peek(reader, 1)?.norm === ',' && peek(reader, 1)?.end === peek(reader, 2)?.start;
  const isNext = () => {
    const { end } = peek(reader) ?? {};
    return isGlued
      ? eat(reader, [',']) && end === peek(reader)?.start
      : eat(reader, [', and', ',', 'and']);
  };
  do {
    const token = peek(reader);
    if (token === undefined || !['word', 'quote', 'code', 'number'].includes(token.kind)) break;
    keys.push(token.text);
    reader.at += 1;
  } while (isNext());
  return keys;
}

/** `rounded to 2 decimals`, `total rounded to 1 decimal place`, `round all values to 2 decimals` */
function readRounding(reader: Reader): true | undefined {
  eat(reader, [',', 'and']);
  eat(reader, ['all', 'the', 'all the']);
  const name = peek(reader);
  const isNamed =
    name?.kind === 'word' &&
    /^round/.test(peek(reader, 1)?.norm ?? '') &&
    !/^round/.test(name.norm);
  if (isNamed) reader.at += 1;
  if (!eat(reader, roundingWords)) return undefined;
  const decimals = eat(reader, ['whole numbers', 'integers', 'the nearest integer', 'full numbers'])
    ? 0
    : eatDecimals(reader);
  if (decimals === undefined) return undefined;
  const isAny = /^(?:values?|numbers?|figures?|results?|all|it|them|and)$/.test(name?.norm ?? '');
  reader.query.decimals = decimals;
  if (isNamed && !isAny) reader.query.rounded = name.norm;
  return true;
}

const roundingWords = [
  'rounded to',
  'rounded',
  'round to',
  'round it to',
  'round them to',
  'round values to',
  'round all values to',
  'round the values to',
  'rounding to',
  'to',
  'with',
];

function eatDecimals(reader: Reader): number | undefined {
  const decimals = eatNumber(reader);
  const isSaid =
    eat(reader, ['decimal places', 'decimal place', 'decimals', 'decimal', 'digits', 'places']) !==
    undefined;
  return decimals !== undefined && decimals <= 15 && isSaid ? decimals : undefined;
}

/** `as a list of {"a", "b"}`, `with {"total": number of rows}` */
function readShaped(reader: Reader): true | undefined {
  const link = eat(reader, [
    'as',
    'with',
    'containing',
    'of the form',
    'in the form',
    'holding',
    'like',
    ':',
  ]);
  skip(reader, ['a', 'an', 'the', 'json', 'single']);
  const list = eat(reader, [
    'list of objects',
    'array of objects',
    'list of',
    'array of',
    'list',
    'array',
    'objects',
  ]);
  if (list === undefined) eat(reader, ['object', 'document']);
  eat(reader, ['with', 'of the form', 'like', 'of', ':', 'with the keys', 'with keys']);
  const shape = readShape(reader, 0);
  if (!shape || (link === undefined && list === undefined)) return undefined;
  reader.query.shape = { ...shape, isList: shape.isList || list !== undefined };
  reader.query.format = 'json';
  return true;
}

const MAX_DEPTH = 3;

function readShape(reader: Reader, depth: number): Shape | undefined {
  const isList = eat(reader, ['[']) !== undefined;
  if (depth > MAX_DEPTH || !eat(reader, ['{'])) return undefined;
  const entries: ShapeEntry[] = [];
  do {
    const entry = readEntry(reader, depth);
    if (!entry) return undefined;
    entries.push(entry);
  } while (eat(reader, [',']));
  if (!eat(reader, ['}']) || (isList && !eat(reader, [']', ', … ]', '… ]']))) return undefined;
  return { isList, entries };
}

function readEntry(reader: Reader, depth: number): ShapeEntry | undefined {
  const token = peek(reader);
  if (token?.kind !== 'quote' && token?.kind !== 'word') return undefined;
  reader.at += 1;
  const key = token.text;
  if (!eat(reader, [':'])) return { key };
  const inner = attempt(reader, (part) => readShape(part, depth + 1));
  if (inner) return { key, inner };
  const next = peek(reader);
  if (next?.kind === 'quote' && [',', '}'].includes(peek(reader, 1)?.norm ?? '')) {
    reader.at += 1;
    return { key, pattern: next.text };
  }
  const from = reader.at;
  while (!isAtEnd(reader) && ![',', '}'].includes(peek(reader)?.norm ?? '')) reader.at += 1;
  return reader.at > from ? { key, words: [from, reader.at] } : undefined;
}
