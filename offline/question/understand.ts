import { type Token, tokenize } from '../language/lexer.ts';
import type { TaskError } from '../task-error.ts';
import { assertUsed } from './assert-used.ts';
import { readQuestion } from './read/read-question.ts';
import type { Composed } from './sql/clauses.ts';
import { composeSql } from './sql/compose-sql.ts';
import type { Query } from './sql/query.ts';
import { notUnderstood } from './suggest.ts';
import type { Table } from './table/schema.ts';

/** A question as it was read against one table. */
export interface Understood {
  readonly table: Table;
  readonly query: Query;
  readonly composed: Composed;
}

/** Reads a question against a table. @throws TaskError if a word has no meaning there, or is not used. */
export function understand(tokens: readonly Token[], table: Table, task: string): Understood {
  const { query, source, leftover } = readQuestion(tokens, table);
  if (leftover.length > 0) {
    const isAbout = ({ message }: TaskError) =>
      leftover.some(({ norm }) => message.toLowerCase().includes(norm));
    throw source.doubts.find(isAbout) ?? notUnderstood(leftover, { task, table, reads });
  }
  const composed = composeSql(query, source);
  assertUsed(tokens, query, { table, sql: composed.sql });
  return { table, query, composed };
}

/** Whether a sentence can be answered from a table. */
function reads(sentence: string, table: Table): boolean {
  try {
    const tokens = tokenize(sentence);
    const { query, source, leftover } = readQuestion(tokens, table);
    assertUsed(tokens, query, { table, sql: composeSql(query, source).sql });
    return leftover.length === 0;
  } catch {
    return false;
  }
}
