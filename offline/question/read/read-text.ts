import { type TextTest, textTests } from '../../language/lexicon.ts';
import type { Condition } from '../sql/query.ts';
import { type Column, quoteText } from '../table/schema.ts';
import { eatColumn } from './read-names.ts';
import { eat, peek, type Reader, skip } from './reader.ts';

/** `"lamp" in the name`, `have lamp in their name` */
export function textIn(reader: Reader): Condition | undefined {
  eat(reader, ['have', 'has', 'having', 'with']);
  const token = peek(reader);
  if (token?.kind !== 'quote' && token?.kind !== 'word') return undefined;
  reader.at += 1;
  const places = ['in the', 'in their', 'in its', ...(token.kind === 'quote' ? ['in'] : [])];
  if (!eat(reader, places)) return undefined;
  const column = eatColumn(reader);
  return column && !column.isNumber ? hasText(column, token.text) : undefined;
}

/** `about login`, of the messages of a log with levels */
export function aboutText(reader: Reader): Condition | undefined {
  const { columns } = reader.table;
  const isLevelLog = columns.some(({ name }) => name === 'level');
  const message = isLevelLog ? columns.find(({ name }) => name === 'message') : undefined;
  if (!message || !eat(reader, ['about', 'regarding', 'concerning'])) return undefined;
  skip(reader, ['the', 'a', 'an']);
  const token = peek(reader);
  if (token?.kind !== 'quote' && token?.kind !== 'word') return undefined;
  reader.at += 1;
  return hasText(message, token.text);
}

const likeText = (text: string) => text.replace(/[%_\\]/g, '\\$&');

const tests: Readonly<Record<TextTest, (text: string) => string>> = {
  has: (text) => `LIKE ${quoteText(`%${likeText(text)}%`)}`,
  lacks: (text) => `NOT LIKE ${quoteText(`%${likeText(text)}%`)}`,
  starts: (text) => `LIKE ${quoteText(`${likeText(text)}%`)}`,
  ends: (text) => `LIKE ${quoteText(`%${likeText(text)}`)}`,
};

const testWords: Readonly<Record<TextTest, string>> = {
  has: 'contains',
  lacks: 'does not contain',
  starts: 'starts with',
  ends: 'ends with',
};

const hasText = (column: Column, text: string): Condition => textTest(column, 'has', text);

function textTest(
  { sql, name }: Pick<Column, 'sql' | 'name'>,
  test: TextTest,
  text: string,
): Condition {
  const escaping = /[%_\\]/.test(text) ? " ESCAPE '\\'" : '';
  return {
    sql: `${sql} ${tests[test](text)}${escaping}`,
    words: `${name} ${testWords[test]} "${text}"`,
  };
}

/** `contains "x"`, `starts with A`, after a column. */
export function textCondition(reader: Reader, { sql, name }: Column): Condition | undefined {
  for (const [phrases, test] of textTests) {
    if (!eat(reader, phrases)) continue;
    skip(reader, ['the', 'text', 'word', 'letter', 'letters']);
    const token = peek(reader);
    if (!token || token.kind === 'mark') return undefined;
    reader.at += 1;
    return textTest({ sql, name }, test, token.text);
  }
  return undefined;
}
