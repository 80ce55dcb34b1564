import { type Token, tokenize } from '../language/lexer.ts';
import { TaskError } from '../task-error.ts';
import { assertUsed } from './assert-used.ts';
import { timesIn } from './read/names.ts';
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
  /** How it was read, if it has several readings: `by due_date`. */
  readonly reading?: string;
}

/** The readings of a question against a table: one by each column that its time may mean. @throws TaskError as `understand`. */
export function readings(
  tokens: readonly Token[],
  table: Table,
  task: string,
): readonly Understood[] {
  try {
    return [understand(tokens, table, task)];
  } catch (error) {
    if (!(error instanceof TaskError) || error.code !== 'AMBIGUOUS') throw error;
    const all = timesIn(table).flatMap(({ name }) => {
      try {
        return [{ ...understand(tokens, { ...table, time: name }, task), reading: `by ${name}` }];
      } catch {
        return [];
      }
    });
    if (all.length < 2 || all.some(({ query }) => query.file !== undefined)) throw error;
    return all;
  }
}

/** Reads a question against a table. @throws TaskError if a word has no meaning there, or is not used. */
export function understand(tokens: readonly Token[], table: Table, task: string): Understood {
  const { query, source, leftover } = readQuestion(tokens, table);
  if (leftover.length > 0) {
    // The time of a sentence that is not about this table has no readings.
    const isAbout = ({ message }: TaskError) =>
      (message.includes(' may go by ') ? leftover.slice(0, 1) : leftover).some(({ norm }) =>
        message.toLowerCase().includes(norm),
      );
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
