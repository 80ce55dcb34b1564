import { TaskError } from '../../task-error.ts';
import type { Condition } from '../sql/query.ts';
import { type Column, quoteText } from '../table/schema.ts';
import { MAX_TOKENS } from './read-names.ts';
import { attempt, peek, type Reader } from './reader.ts';

/** A value of some column of text, word by word: `DE`, `paid`, `Fitness Equipment`. */
export function eatValue(reader: Reader, only?: Column): Condition | undefined {
  const found = matchValue(reader, only);
  if (!found) return undefined;
  reader.at += found.length;
  return found.condition;
}

function matchValue(reader: Reader, wanted: Column | undefined) {
  const { table } = reader;
  for (let length = MAX_TOKENS; length > 0; length -= 1) {
    const said = textAhead(reader, length);
    if (said === undefined) continue;
    const fitting = (
      wanted ? [wanted] : table.columns.filter(({ isNumber, isTime }) => !isNumber && !isTime)
    ).flatMap((column) => {
      const value = wanted || !isPlainWord(said) ? valueLike(column, said) : exactly(column, said);
      return value === undefined ? [] : [{ column, value }];
    });
    const [first, second] = withoutEndpoint(fitting);
    if (first === undefined) continue;
    if (second !== undefined) {
      const names = fitting.map(({ column }) => `"${column.name}"`).join(' and ');
      throw new TaskError(
        'AMBIGUOUS',
        `"${said}" is a value of ${names}: say which, as in "${first.column.name} ${said}".`,
      );
    }
    return { length, value: first.value, condition: equals(first.column, first.value) };
  }
  return undefined;
}

/** An endpoint of an access log is its path without ids: a value of both means the same. */
const withoutEndpoint = <T extends { readonly column: Column }>(fitting: readonly T[]) =>
  fitting.some(({ column }) => column.name === 'path')
    ? fitting.filter(({ column }) => column.name !== 'endpoint')
    : fitting;

/** The next tokens as text; undefined if there are fewer, or if one can't be part of a value. */
function textAhead(reader: Reader, length: number): string | undefined {
  const [from, to] = [peek(reader), peek(reader, length - 1)];
  if (
    !from ||
    !to ||
    from.kind === 'mark' ||
    to.kind === 'mark' ||
    ['file', 'glob', 'op', 'date'].includes(from.kind)
  )
    return undefined;
  let text = '';
  for (let ahead = 0; ahead < length; ahead += 1) {
    const [token, before] = [peek(reader, ahead), peek(reader, ahead - 1)];
    if (!token || token.kind === 'file') return undefined;
    text += ahead > 0 && before && before.end < token.start ? ` ${token.text}` : token.text;
  }
  return text;
}

/** Common short words that are also codes in some tables: IT, US, NO. */
const plainWords = new Set(
  'it us no is in on at to me my we be am an as by do go or so'.split(' '),
);

const isPlainWord = (said: string): boolean => plainWords.has(said);

const exactly = ({ values }: Column, said: string): string | undefined =>
  values.has(said) ? said : undefined;

/** The value of a column that a text means. Letter case and number may differ. */
function valueLike({ values }: Column, said: string): string | undefined {
  if (values.has(said)) return said;
  const [goal, goalOne] = [said.toLowerCase(), said.toLowerCase().replace(/s$/, '')];
  let plural: string | undefined;
  for (const value of values) {
    const lower = value.toLowerCase();
    if (lower === goal) return value;
    if (goal.length > 3 && lower === goalOne) plural = value;
  }
  return plural;
}

export const equals = (column: Column, value: string): Condition => ({
  sql:
    column.isNumber && /^-?\d+(?:\.\d+)?$/.test(value)
      ? `${column.sql} = ${value}`
      : `${column.sql} = ${quoteText(value)}`,
  words: `${column.name} is ${value}`,
});

/** A value of the column in its own spelling. */
export const eatKnownValue = (reader: Reader, column: Column): string | undefined =>
  attempt(reader, (inner) => {
    const found = matchValue(inner, column);
    if (found) inner.at += found.length;
    return found?.value;
  });
