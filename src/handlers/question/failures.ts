import type { Table } from '../tables/table.ts';
import { TaskError } from '../task-error.ts';

const fix =
  'Say it in those words, or choose a language model with CAPSTAN_PROVIDER (set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama).';

/** Words of an instruction that no rule could place. */
export function notUnderstood(words: readonly string[], table: Table): TaskError {
  const named = words.map((word) => `"${word}"`).join(', ');
  return new TaskError(
    'NOT_UNDERSTOOD',
    `Without a language model this can't be understood: ${named}. Understood are counts, sums, averages, top lists, filters and groups over the columns of ${table.name}: ${columnList(table)}. ${fix}`,
  );
}

/** An instruction that is understood word by word and still does not say what to do. */
export const unclear = (problem: string): TaskError =>
  new TaskError('NOT_UNDERSTOOD', `${problem} ${fix}`);

/** Words that fit several columns or meanings equally well. */
export const ambiguous = (problem: string): TaskError => new TaskError('AMBIGUOUS', problem);

/** Columns of a table for a message, at most 40. */
export function columnList(table: Table): string {
  const names = table.columns.map(({ name }) => name);
  const more = names.length > 40 ? `, and ${names.length - 40} more` : '';
  return `${names.slice(0, 40).join(', ')}${more}`;
}
