import type { Query, Shape, ShapeEntry } from '../../sql/query.ts';
import { either, type Match, type Reads, rule, type Source } from '../grammar.ts';
import { type Format, formats, writeVerbs } from '../words.ts';

/** Reads a format: `JSON`, `a Markdown table`, `CSV format`. */
export const format: Reads<Format> = either(
  ...formats.map(([words, kind]) => rule(`[the|a|an] (${words}) [format|table|list]`, () => kind)),
);

const thing =
  '[the|a|this|that] (results?|answer|output|table|list|figures|report|file|everything)|them|it|this|that';

const target = '[file|report|table|called|named|as|to|in|with the name]';

/** Sets the file of the answer, once. */
function setFile(query: Query, path: string, kind: Format | undefined): true | undefined {
  if (query.file !== undefined) return undefined;
  query.file = path;
  query.format = kind ?? query.format;
  return true;
}

/** The names of the columns or keys of the answer. */
export const keysOf = ({ keys, shape }: Query): readonly string[] =>
  keys ??
  shape?.entries.flatMap(({ key, inner }) => [
    key,
    ...(inner?.entries ?? []).map((one) => one.key),
  ]) ??
  [];

/** A verb that a column's values can have as their subject: `each region made in sales.csv`. */
const isOfSubject = /^(?:create|produce|generate|make|record)$/;

/** Reads a number of decimals: `2 decimal places`. */
export const decimals: Reads<number> = rule(
  '{number} (decimal places?|decimals?|digits|places)',
  ({ number }) => (number <= 15 ? number : undefined),
);

const rounded = '(rounded [to]|round [it|them|values|all values|the values] to|rounding to)';

/** Reads phrases about the answer's file, format, columns, shape and decimals. */
export const output: Reads<true> = either(
  rule(
    `(as|to|into|in the file|to the file|as the file) [a file] [{kind:format}] ${target} {file}`,
    ({ kind, file }, { query, table }) =>
      file.text === table.path ? undefined : setFile(query, file.text, kind),
  ),
  shaped,
  rule(
    `[,] [and] [then] (${writeVerbs}) [${thing}] [{kind:format}] [file|report|table] [to|in|into|as|named|called] [the|a] [{kind:format}] ${target} ${target} {file} [:]`,
    ({ kind, file, from }, { query, table, tokens }) =>
      file.text === table.path && isOfSubject.test(tokens[from]?.norm ?? '')
        ? undefined
        : setFile(query, file.text, kind),
  ),
  rule(
    '(convert|turn|transform|change) [the] [file|table] {file} (to|into) [{kind:format}] [file] [and] [write it|save it] [to|as|in|called|named] [{of2:file}]',
    convert,
  ),
  rule('(as a table|in a table|as table|as a list|in a list)', () => true as const),
  rule('(as|in|formatted as|using|to) {kind:format}', ({ kind }, { query }) => {
    query.format = kind;
    return true;
  }),
  header,
  rule(
    `[,] [and] [all] [the] [{text}] ${rounded} {decimals}`,
    ({ text, decimals: places, from }, { query, tokens }) => {
      query.decimals = places;
      const isNamed =
        text?.kind === 'word' &&
        !/^(?:values?|numbers?|figures?|results?|all|it|them|and)$/.test(text.norm);
      if (isNamed && tokens[from]) query.rounded = text.norm;
      return true;
    },
  ),
  rule('[,] [and] (to|with) {decimals}', ({ decimals: places }, { query }) => {
    query.decimals = places;
    return true;
  }),
);

function convert(
  { kind, end, from }: { kind?: Format; end: number; from: number },
  { query, table, tokens }: Source,
): true | undefined {
  const [, ...targets] = tokens.slice(from, end).filter((token) => token.kind === 'file');
  if (kind === undefined && targets.length === 0) return undefined;
  query.subject = 'rows';
  query.format = kind ?? query.format;
  const ending = kind && endings[kind];
  const path = targets[0]?.text ?? (ending && table.path.replace(/\.\w+$/, ending));
  return path === undefined || path === table.path || setFile(query, path, kind);
}

/** Extensions of the file that a table is converted to. */
const endings: Readonly<Partial<Record<Format, string>>> = {
  ...{ csv: '.csv', tsv: '.tsv', json: '.json', markdown: '.md' },
};

const headed = rule(
  '(with [the|a] (header line|header|columns|keys|fields)|with column names|header|columns:|and [the] columns) [:|of]',
  () => true as const,
);

/** Reads the columns of the file: `with header a,b,c`, `with columns a, b and c`, `without a header`. */
function header(source: Source, start: number): Match<true> | undefined {
  const { query, tokens } = source;
  const none = source.phraseAt(start, ['without a header', 'without header', 'with no header']);
  if (none) {
    query.hasHeader = false;
    return { value: true, end: none.end };
  }
  const lead = headed(source, start);
  if (!lead) return undefined;
  const at = lead.end;
  const quoted = tokens[at];
  const isList = quoted?.kind === 'quote' && quoted.text.includes(',');
  const names = isList
    ? { value: quoted.text.split(',').map((key) => key.trim()), end: at + 1 }
    : namesAt(source, at);
  if (names.value.length < 2) return undefined;
  query.keys = names.value;
  return { value: true, end: names.end };
}

/** Reads names separated by commas. Without spaces after commas, the list ends at the first space. */
function namesAt(source: Source, start: number): Match<string[]> {
  const { tokens } = source;
  const isGlued = (at: number) => tokens[at - 1]?.end === tokens[at]?.start;
  const isTight = tokens[start + 1]?.norm === ',' && isGlued(start + 2);
  const keys: string[] = [];
  let end = start;
  for (let at: number | undefined = start; at !== undefined; ) {
    const token = tokens[at];
    if (!token || !['word', 'quote', 'code', 'number'].includes(token.kind)) break;
    keys.push(token.text);
    end = at + 1;
    const joint = source.phraseAt(end, isTight ? [','] : [', and', ',', 'and']);
    at = joint && (!isTight || (isGlued(end) && isGlued(joint.end))) ? joint.end : undefined;
  }
  return { value: keys, end };
}

const shapeLead = rule(
  '[lead:(as|with|containing|of the form|in the form|holding|like|:)] [a|an|the] [json] [single] word:[(list|array) [of] [objects]|objects] [object|document] [with|of the form|like|of|:] [the] [keys]',
  ({ lead, word }) => ({ lead, isList: word !== undefined }),
);

/** Reads the shape of a JSON answer: `as a list of {"a", "b"}`, `with {"total": number of rows}`. */
function shaped(source: Source, start: number): Match<true> | undefined {
  const lead = shapeLead(source, start);
  if (!lead || (lead.value.lead === undefined && !lead.value.isList)) return undefined;
  const shape = shapeAt(source, lead.end, 0);
  if (!shape) return undefined;
  source.query.shape = { ...shape.value, isList: shape.value.isList || lead.value.isList };
  source.query.format = 'json';
  return { value: true, end: shape.end };
}

const MAX_DEPTH = 3;

function shapeAt(source: Source, start: number, depth: number): Match<Shape> | undefined {
  const isList = source.tokens[start]?.norm === '[';
  let at = isList ? start + 1 : start;
  const entries: ShapeEntry[] = [];
  const norm = () => source.wordAt(at);
  if (depth > MAX_DEPTH || norm() !== '{') return undefined;
  while (norm() === '{' || norm() === ',') {
    const entry = entryAt(source, at + 1, depth);
    if (!entry) return undefined;
    entries.push(entry.value);
    at = entry.end;
  }
  if (norm() !== '}') return undefined;
  const close = isList ? source.phraseAt(at + 1, [']', ', … ]', '… ]']) : { end: at + 1 };
  return close && { value: { isList, entries }, end: close.end };
}

function entryAt(source: Source, at: number, depth: number): Match<ShapeEntry> | undefined {
  const { tokens } = source;
  const token = tokens[at];
  if (token?.kind !== 'quote' && token?.kind !== 'word') return undefined;
  const key = token.text;
  const isEnd = (index: number) => /^[,}]$/.test(tokens[index]?.norm ?? '}');
  if (tokens[at + 1]?.norm !== ':') return { value: { key }, end: at + 1 };
  const from = at + 2;
  const inner = shapeAt(source, from, depth + 1);
  if (inner) return { value: { key, inner: inner.value }, end: inner.end };
  const next = tokens[from];
  if (next?.kind === 'quote' && isEnd(from + 1))
    return { value: { key, pattern: next.text }, end: from + 1 };
  let end = from;
  while (!isEnd(end)) end += 1;
  return end > from && end < tokens.length
    ? { value: { key, words: [from, end] }, end }
    : undefined;
}
