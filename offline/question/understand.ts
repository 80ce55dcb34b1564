import type { Token } from '../language/lexer.ts';
import { isMisspelled } from '../language/spelling.ts';
import { nameWords } from '../language/words.ts';
import { TaskError } from '../task-error.ts';
import { withFile, withoutWhole, withParticles } from './question-tokens.ts';
import type { Source } from './read/grammar.ts';
import { readQuestion } from './read/read-question.ts';
import { timesIn } from './read/times/time-columns.ts';
import { askedOf, type Check } from './refuse/asked.ts';
import { notAnswered, phraseNotAnswered } from './refuse/not-answered.ts';
import { quantityChecks, readingChecks } from './refuse/not-meant.ts';
import { figureChecks, moneyChecks, numberChecks } from './refuse/other-figure.ts';
import { unusedWords } from './refuse/used-words.ts';
import type { Composed } from './sql/clauses.ts';
import { composeObject } from './sql/compose-object.ts';
import { groupStatement } from './sql/group-statement.ts';
import { type Query, sqlOfAll, unclear } from './sql/query.ts';
import { ofOwners, resolve, withSharedConditions } from './sql/resolve.ts';
import { rowStatement } from './sql/row-statement.ts';
import { withoutIdleJoins } from './table/join-tables.ts';
import { columnList, type Table } from './table/schema.ts';

/** A question as it was understood for one table. */
export interface Understood {
  readonly table: Table;
  readonly query: Query;
  readonly composed: Composed;
  /** Its meaning, if it has several: `by due_date`. */
  readonly reading?: string;
}

/** The error for words that no rule understood. */
export class UnknownWords extends TaskError {
  readonly leftover: readonly Token[];

  constructor(leftover: readonly Token[], table: Table) {
    const words = leftover.map(({ text }) => `"${text}"`).join(', ');
    const names = table.columns.map(({ name }) => name);
    const near = leftover.flatMap(({ text }) => names.find((name) => isNear(text, name)) ?? []);
    const meant = [...new Set(near)].map((name) => `"${name}"`).join(', ');
    const guess = meant === '' ? '' : ` Did you mean ${meant}?`;
    super(
      'NOT_UNDERSTOOD',
      `Without a language model this can't be understood: ${words}.${guess} Columns of ${table.path}: ${columnList(table)}.`,
    );
    this.leftover = leftover;
  }
}

/** Whether a word is a typing error of a name, or one contains the other. Not `unsold` and `sold`. */
function isNear(text: string, name: string): boolean {
  const [word, own] = [text, name].map((one) => nameWords(one).join('')) as [string, string];
  const isPart = own.length > 2 && (word.includes(own) || own.includes(word));
  const isDenied = /^(?:un|i[nmrl]|dis|mis|non)$/.test(word.replace(own, ''));
  return text !== name && word.length > 2 && !isDenied && (isPart || isMisspelled(word, own));
}

/** Understands a question about a table. @throws TaskError if a word has no meaning there, or is not used. */
export function understand(said: readonly Token[], table: Table): Understood {
  const named = withFile(said, table.path);
  const ours = withoutWhole(named, table);
  const whole = named.flatMap((one) => (ours.includes(one) ? [] : one.text)).join(' ');
  const tokens = withParticles(ours, table.columns);
  const { query, source, leftover } = readQuestion(tokens, table);
  if (leftover.length > 0) {
    // If the sentence is not about this table, which time it means does not matter.
    const words = leftover.filter(({ norm }) => !/^(?:per|by|each|every)$/.test(norm));
    const isAbout = ({ details: { said = '', isTime } }: TaskError) =>
      (isTime ? words.slice(0, 1) : words).some(({ norm }) =>
        said.toLowerCase().includes(norm.replace(/ly$/, '')),
      );
    throw source.doubts.find(isAbout) ?? new UnknownWords(leftover, table);
  }
  const composed = composeSql(query, source);
  const asked = askedOf(tokens, query, source.table, composed.sql);
  for (const check of checks) {
    const problem = check(asked);
    if (problem !== undefined) throw unclear(problem);
  }
  const aside = [whole, ...query.aside].flatMap((one) => (one ? `without "${one}"` : []));
  const readAs = [...composed.readAs, ...aside];
  return { table: source.table, query, composed: { ...composed, readAs } };
}

/** Reasons why a statement may not be what the question asks for. */
const checks: readonly Check[] = [
  ...[...numberChecks, notAnswered, phraseNotAnswered, ...moneyChecks, ...readingChecks],
  ...[...quantityChecks, ...figureChecks, unusedWords],
];

/** Composes the SQL statement. @throws TaskError `NOT_UNDERSTOOD` or `AMBIGUOUS` if its parts do not fit together. */
function composeSql(query: Query, source: Source): Composed {
  const isObject = query.shape?.isList === false;
  if (isObject && query.measures.length === 0) return composeObject(query, source);
  const resolved = withSharedConditions(resolve(query, source.table));
  const isOfRows = resolved.measures.length === 0;
  const owned = ofOwners(resolved);
  const where = [...resolved.where, ...owned];
  const composed = (isOfRows ? rowStatement : groupStatement)({ ...resolved, where }, source);
  const sql = withoutIdleJoins(composed.sql, source.table);
  const others = sqlOfAll([...resolved.where, { sql: `NOT (${sqlOfAll(owned)})`, words: '' }]);
  const counted = `SELECT count(*) FROM ${source.table.sql} WHERE ${others}`;
  const leftOut = owned.length > 0 && {
    sql: withoutIdleJoins(counted, source.table),
    noun: owned.map(({ noun }) => noun).join(' or '),
  };
  return { ...composed, sql, ...(leftOut && { leftOut }), isObject: isObject && !isOfRows };
}

/** Understands a question, but returns the error. */
export function tried(tokens: readonly Token[], table: Table): Understood | TaskError {
  try {
    return understand(tokens, table);
  } catch (error) {
    if (error instanceof TaskError) return error;
    throw error;
  }
}

/** All meanings of a question about a table: one for each column that its time may mean, of joined rows only without own ones. */
export function readings(
  tokens: readonly Token[],
  table: Table,
): readonly Understood[] | TaskError {
  const found = tried(tokens, table);
  if (!(found instanceof TaskError)) return [found];
  if (found.code !== 'AMBIGUOUS') return found;
  const times = timesIn(table);
  const own = times.filter(({ link }) => !link);
  const all = (own.length > 0 ? own : times).flatMap(({ name }) => {
    const one = tried(tokens, { ...table, time: name });
    return one instanceof TaskError ? [] : [{ ...one, reading: `by ${name}` }];
  });
  return all.length < 2 || all.some(({ query }) => query.file !== undefined) ? found : all;
}
