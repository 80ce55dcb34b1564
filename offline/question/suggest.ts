import type { Token } from '../language/lexer.ts';
import { nearNames } from '../language/words.ts';
import { modelSettings, TaskError } from '../task-error.ts';
import { type Column, columnList, type Table } from './table/schema.ts';

/** Whether a sentence can be answered from a table. */
type Reads = (sentence: string, table: Table) => boolean;

/** The error for words that no rule understood, with the nearest sentence that works. */
export function notUnderstood(
  leftover: readonly Token[],
  { task, table, reads }: { readonly task: string; readonly table: Table; readonly reads: Reads },
): TaskError {
  const words = leftover.map(({ text }) => `"${text}"`).join(', ');
  const near = leftover.flatMap(({ text }) =>
    nearNames(
      text,
      table.columns.map(({ name }) => name).filter((name) => name !== text),
    ).slice(0, 1),
  );
  const guess =
    near.length > 0
      ? ` Did you mean ${[...new Set(near)].map((name) => `"${name}"`).join(', ')}?`
      : '';
  const sentence = suggestion(leftover, { task, table, reads });
  return new TaskError(
    'NOT_UNDERSTOOD',
    `Without a language model this can't be understood: ${words}.${guess} Columns of ${table.path}: ${columnList(table)}.${sentence === undefined ? '' : ` This works: "${sentence}".`} Or ${modelSettings}.`,
  );
}

/** A similar sentence that can be answered: with a similar name, without the unknown words, or one that always works. */
export function suggestion(
  leftover: readonly Token[],
  { task, table, reads }: { readonly task: string; readonly table: Table; readonly reads: Reads },
): string | undefined {
  return [
    ...withNearNames(leftover, task, table),
    withoutWords(leftover, task, table),
    // If the verb itself was not understood, a question about the table would not do what was asked.
    ...(leftover[0]?.start === 0 ? [] : always(table)),
  ].find((sentence) => sentence !== '' && reads(sentence, table));
}

function withNearNames(leftover: readonly Token[], task: string, table: Table): string[] {
  const names = table.columns.map(({ name }) => name);
  return leftover.flatMap(({ text, start, end }) =>
    nearNames(text, names).map((name) => `${task.slice(0, start)}${name}${task.slice(end)}`),
  );
}

/** The sentence without its last clause, if that was not understood. */
function withoutWords(leftover: readonly Token[], task: string, table: Table): string {
  const [first] = leftover;
  if (!first) return '';
  const kept = task
    .slice(0, first.start)
    .replace(
      /[\s,;(]*(?:\b(?:and|then|with|by|for|from|about|to|on|at|what|where|that|which|in|the|a|of|not|only|whose|who|have|has|had|are|is|were|was|did|per|their|its|an|all|how|many)\b[\s,(]*)*$/i,
      '',
    )
    .replace(/[?!.\s]+$/, '');
  return kept.split(/\s+/).length < 2
    ? ''
    : kept.includes(table.path)
      ? kept
      : `${kept} in ${table.path}`;
}

/** Numbers that name something, such as ids, are not calculated with. */
const isKey = ({ words, values }: Column, rows: number): boolean =>
  words.some((word) => /^(?:id|isbn|code|zip|year|phone|number|no|nr|line)$/.test(word)) ||
  (rows > 2 && values.size === rows && [...values].every((value) => /^\d+$/.test(value)));

/** Sentences about the columns of the table. */
export function always({ columns, path, nouns, rows }: Table): string[] {
  const number = columns.find((column) => column.isNumber && !isKey(column, rows));
  const text = columns
    .filter(({ isNumber, isTime, values }) => !isNumber && !isTime && values.size > 1)
    .toSorted((a, b) => a.values.size - b.values.size)[0];
  const noun = [...nouns].at(-1);
  return [
    ...(number && text ? [`Average ${number.name} per ${text.name} in ${path}`] : []),
    ...(text ? [`Count the rows per ${text.name} in ${path}`] : []),
    `How many ${noun ? `${noun}s` : 'rows'} are in ${path}?`,
    `Show the first 5 rows of ${path}`,
  ];
}
