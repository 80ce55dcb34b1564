import { columnValue } from '../../sql/query.ts';
import type { Table } from '../../table/schema.ts';
import { columnOfVerb, isAbout, isDeed } from '../columns/verbs-of-rows.ts';
import { isOfPieces, quantityOf } from '../figures/money.ts';
import { either, type Reads, rule, type Source } from '../grammar.ts';
import { condition } from '../values/conditions.ts';
import { addConditions } from './subjects.ts';

/** Verbs that only state that the rows exist. */
const plainVerbs =
  /^(?:used|claimed|submitted|entered|filed|involved|represented|mentioned|recorded|seen|found|made|listed|held)$/;

/** Whether a verb is one of them here: with an action `submit`, only some rows were submitted. */
const isPlain = ({ columns }: Table, verb: string): boolean =>
  plainVerbs.test(verb) && !columns.some((own) => isAbout(own, verb));

/** Verbs that only state that the rows exist, after `did we`. */
const plainDeeds =
  /^(?:use|own|give|make|hold|do|get|go|take|record|log|enter|visit|hits?|see|meet|play|work|come|came|train)$/;

/** A verb that only states that the rows exist: `were sold`, about sales. */
export const deed = rule(
  '[was|were|is|are|been|did|do|have been|has been] {text} [to]',
  ({ text, end }, source) => {
    const { query, table, tokens } = source;
    const verb = text.norm.replace(/^sell$/, 'sold').replace(/^buy$/, 'bought');
    const isAfterDid = tokens
      .slice(0, end)
      .some(({ norm }) => /^(?:did|do|does|have|has|we|i)$/.test(norm));
    const isVerb = isAfterDid || /(?:ed|sold|bought|made|seen|paid|lent)$/.test(verb);
    const isOfSubject =
      query.subject !== 'rows' &&
      query.subject?.column !== undefined &&
      columnOfVerb(table, verb)?.sql === query.subject.sql;
    const isDone =
      isOfSubject ||
      isPlain(table, verb) ||
      (isAfterDid && plainDeeds.test(verb)) ||
      (table.isLog && /^(?:requested|called|accessed|visited|downloaded)$/.test(verb)) ||
      (isVerb && !table.isLog && isDeed(table, verb));
    const last = query.measures.at(-1);
    const isThing = /^(?:with|for|a|an|the)$/.test(source.wordAt(tokens.indexOf(text) - 1));
    if (text.kind !== 'word' || isThing || !(query.subject ?? last) || !isDone) return undefined;
    const units =
      /^(?:sold|bought|ordered)$/.test(verb) && last?.fn === 'count' && last.name !== 'times'
        ? unitsOf(source)
        : undefined;
    if (!units) return true as const;
    const said = `"how many ${last?.name} … ${text.norm}" may be a number of rows or a sum`;
    const message = `${said}. Say "number of rows" or "total ${units.name}".`;
    return source.doubt('AMBIGUOUS', message, { said });
  },
);

/** The quantity that may be meant instead of the rows, if they do not count pieces anyway. */
const unitsOf = ({ tokens, table }: Source) =>
  isOfPieces(tokens, table) ? undefined : quantityOf(table);

/** Words that ask for unnamed rows, or for values that the rest of the sentence names. */
export const asking: Reads<true> = either(
  rule('word:(everything|when (was|were|is|are|did|do|does))', ({ word }, { query, table }) => {
    const isOfTimes = table.columns.some(
      ({ isTime, values }) => isTime && table.isWhole && values.size === table.rows,
    );
    if (word === 'everything' || isOfTimes) query.subject ??= 'rows';
    return true as const;
  }),
  rule("(what is|what's|what are|what was|anything) [still] {start}", ({ start }, source) => {
    if (!condition(source, start)) return undefined;
    source.query.subject ??= 'rows';
    return true as const;
  }),
  rule('how much (does|do|is|are)', () => true as const),
);

/** Reads a yes/no question: `is Marlin insured?`, `has Ada Holm paid?`. The answer shows the cell. */
export const yesNo: Reads<true> = rule(
  '(is|are|was|were|has|have|had|does|do|did) [the|our|my] {value} [been|already|have|get] {column} [yet|already]',
  ({ value, column, from, end }, source) => {
    const { query } = source;
    if (
      from > 0 ||
      !source.isAtEnd(end) ||
      value.column === undefined ||
      value.value === undefined ||
      !column.column?.truth
    )
      return undefined;
    query.subject = 'rows';
    query.columns.push(columnValue(value.column), columnValue(column.column));
    addConditions(query, [value]);
    return true as const;
  },
);
