import { timeParts } from '../../../language/lexicon.ts';
import { columnValue, type Value } from '../../sql/query.ts';
import type { Column } from '../../table/schema.ts';
import { type Reads, rule, type Source } from '../grammar.ts';
import { timeColumn, timesIn, timesSaid } from '../times/time-columns.ts';
import { column, nameOf } from './names.ts';

/** Reads a column, or a part of a time such as `month`. */
export const dimension: Reads<Value> = (source, start) => {
  const at = source.skipArticles(start);
  const part = timePart(source, at);
  const found = column(source, at);
  if (found && !(part && isOther(found.value.column, part.value.name, source))) return found;
  if (!part) return undefined;
  const { name, sqlOf } = part.value;
  const of = ofTime(source, part.end);
  if (!of && !source.table.columns.some(({ isTime }) => isTime)) return undefined;
  const timed = of ? undefined : timeColumn(source, name);
  const time = of?.value ?? (timed && columnValue(timed));
  if (!time || !hasPart(time, name)) return undefined;
  const value = { sql: sqlOf(time.sql), words: name, part: name, column: time.column };
  return { value, end: of?.end ?? part.end };
};

/** Whether a part of a time is meant, not a column such as `birth_year`: `members who joined per year`. */
function isOther(own: Column | undefined, part: string, source: Source): boolean {
  if (!own || own.isTime) return own !== undefined && nameOf(own) !== 'date';
  const isBirth = own.words.includes('birth') && nameOf(own) !== part;
  return isBirth || (nameOf(own) !== part && timesSaid(source, timesIn(source.table)).length > 0);
}

/** Whether the times of a column have hours, and are not only dates. */
export const hasHours = ({ values }: Column): boolean =>
  values.size === 0 || [...values].some((text) => text.includes(':'));

const hasPart = ({ column: own }: Value, name: string): boolean =>
  !name.startsWith('hour') || !own || hasHours(own);

/** Reads a part of a time: `month`, `hour of the day`. */
function timePart(source: Source, at: number) {
  const { stem = '', kind } = source.tokens[at] ?? {};
  const more = { hour: ['of the day', 'of day', 'of a day'], day: ['of the week', 'of week'] };
  const ofDay = source.phraseAt(at + 1, more[stem as keyof typeof more] ?? []);
  // `at what hour`
  const isHour = stem === 'hour' && (ofDay !== undefined || source.wordAt(at - 2) === 'at');
  const name = isHour ? 'hour of the day' : ofDay ? 'weekday' : stem;
  const sqlOf = kind === 'word' ? timeParts.get(name) : undefined;
  return sqlOf && { value: { name, sqlOf }, end: ofDay ? ofDay.end : at + 1 };
}

/** Reads the column of a part of a time: `of order_date`. */
const ofTime = rule('(of [the]|from the|in) {column}', ({ column: found }) =>
  found.column?.isTime ? found : undefined,
);
