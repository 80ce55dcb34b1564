import { nameWords } from '../../../language/words.ts';
import { type Condition, columnValue, type Value } from '../../sql/query.ts';
import type { Column } from '../../table/schema.ts';
import { either, looseRule, type Reads, rule, single } from '../grammar.ts';
import { column, nameOf } from './names.ts';
import { isEmpty, isFilled, stateOf } from './states.ts';
import { isDoneBy } from './verbs-of-rows.ts';

/** Participles at the end of the name of a yes/no column: `Deposit paid?`, `Letter sent`. */
const participles = /(.+) (?:paid|sent|given|done|received|returned|signed|submitted)$/;

/** Reads a yes/no column by the beginning of its name: `deposit` for `Deposit paid?`. */
const begun: Reads<Value> = ({ tokens, table }, at) => {
  for (let length = 4; length > 0; length -= 1) {
    const said = tokens.slice(at, at + length).flatMap(({ text }) => nameWords(text));
    const isBegun = (own: Column) => participles.exec(nameOf(own))?.[1] === said.join(' ');
    const only = single(table.columns.filter((own) => own.truth && isBegun(own)));
    if (only)
      return { value: columnValue(only, `${said.join(' ')} = ${only.name}`), end: at + length };
  }
  return undefined;
};

/** Reads something that rows have or lack: a column, also by the beginning of its name. */
export const flag: Reads<Value> = either(column, begun);

/** The condition that a row lacks it. A number may also be 0. */
function none(own: Value, isCell: boolean): Condition | undefined {
  // `who didn't get the box`, of a delivery, is not about the subscriber's kind of box.
  if (own.column?.link) return undefined;
  if (own.column?.truth) return stateOf(own, false);
  if (!own.column?.isNumber || isCell) return isEmpty(own);
  return { sql: `coalesce(${own.sql}, 0) = 0`, words: `${own.words} is 0 or empty` };
}

/** The condition that a row has it, if it separates the rows. */
function some(own: Value): Condition | undefined {
  if (own.column?.truth) return stateOf(own, true);
  return own.column?.hasEmpty && !own.column.isNumber ? isFilled(own) : undefined;
}

const not =
  "don't|doesn't|didn't|haven't|hasn't|hadn't|do not|does not|did not|have not|has not|never|not";

const persons = '[i|we|you|they|he|she|us|me]';

const articles = '[a|an|any|the|their|his|her|its|our]';

const verbs =
  'have|has|had|got|get|gets|gave|give|given us|given|left|want|wants|wanted|receive|receives|received|use|uses|used|know|eat|eats|subscribed to|subscribe to|subscribes to|signed up for|signed up to|opted for|hand in|handed in|submit|submitted|take|taken|took|answer|answered|return|returned';

const filled = '[is|was] cell:[given|filled in|entered|recorded|noted|known|set]';

const after = '[yet|at all|so far|already]';

/** Conditions on what rows have or lack: `without a phone`, `the deposit hasn't come in`. */
export const flags: readonly Reads<Condition>[] = [
  rule(
    `[that|which|who] (without|(with|${verbs}) ${persons} no|no|there is no|is there no|are there no|lack|lacks|lacking|missing|unknown|with (an unknown|unknown|missing|a missing)) ${articles} {flag} ${filled} ${after}`,
    (found) => none(found.flag, 'cell' in found),
  ),
  rule(
    `[that|which|who] (${not}) ${persons} [yet] (${verbs}) ${articles} {flag} ${after}`,
    ({ flag: own }) => none(own, own.column?.isNumber === false),
  ),
  // `who can drive`, with a column `driver`
  rule('[that|which|who] (can|is able to|are able to) {text}', ({ text: { norm } }, { table }) => {
    const own = single(table.columns.filter((one) => one.truth && isDoneBy(one, norm)));
    return own && stateOf(columnValue(own, `can ${norm} = ${own.name}`), true);
  }),
  // `with nobody assigned`, `whose phone nobody has given`, `is the phone empty`
  rule(
    '([that|which|who] [have|has|with] (nobody|no one|none) [is|has] {column}|[whose|where] [the] {column} [that] (nobody|no one) [has|had] (filled in|entered|gave|given|knows|set|noted)|where (nobody|no one) [has|had] (filled in|entered|gave|given|set|noted) [a|an|the] {column}|is [the] {column} (empty|blank|missing))',
    ({ column: own }) => isEmpty(own),
  ),
  rule(
    `[that|which|who] (${verbs}|having|[was|were|is|are] there) ${persons} ${articles} {flag}`,
    ({ flag: own, end }, source) =>
      /^(?:that|which|ending|starting|beginning)$/.test(source.wordAt(end)) ? undefined : some(own),
  ),
  // `who is on the board`, with a column `board` of yes and no
  looseRule(
    '[that|which|who] [is|are|was|were] (with|lead:(on|in|part of)) word:[a|an|any|the|our] {flag}',
    ({ flag: own, word, lead, end }, source) => {
      if ((lead && !own?.column?.truth) || source.wordAt(end) === '=') return undefined;
      const isPlural = source.wordAt(end - 1) !== source.tokens[end - 1]?.stem;
      const isListed = /^(?:and|,)$/.test(source.wordAt(end));
      return own?.column?.truth || (own && (word ?? isPlural) && !isListed) ? some(own) : undefined;
    },
  ),
];
