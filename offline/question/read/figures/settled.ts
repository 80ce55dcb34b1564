import type { Token } from '../../../language/lexer.ts';
import { rootOf } from '../../../language/verbs.ts';
import { type Condition, columnValue } from '../../sql/query.ts';
import { isFilled, stateOf } from '../columns/states.ts';
import { isState } from '../columns/verbs-of-rows.ts';
import { type Source, single } from '../grammar.ts';
import { isVerbOf } from '../times/time-columns.ts';
import { equals } from '../values/equals.ts';

/** Verbs for completed payments. */
const settling = /^(?:paid|pays?|receive\w*|collect\w*|raised?|got|gets?|took|takes?)$/;

/** Limits a sum to paid rows if payment is recorded: `how much did we receive`, with `received_on`. False if unclear. */
export function isSettled(source: Source, at: number): boolean {
  const said = source.tokens[at];
  if (!said || !settling.test(said.norm)) return true;
  const before = source.normOf(0, at);
  const { name, paid } = paymentOf(source, said);
  // `how much do we have to pay`
  const isOther = /(?:\b(?:to|be|still|not|never)|n't)$/.test(before);
  if (name === undefined && !isOther) return true;
  const isDone = /\b(?:did|has|have)\b/.test(before) || /(?:ed|paid)$/.test(said.norm);
  const problem = `may mean only the rows with a certain ${name ?? 'state'}. Name that column.`;
  if (!paid || !isDone || isOther) return source.ambiguous(said.text, problem) ?? false;
  source.query.where.push(paid);
  return true;
}

/** The name of a column that records payment and does not limit the rows yet, and the condition that a verb means. */
function paymentOf({ table, query }: Source, said: Token): { name?: string; paid?: Condition } {
  const isSaid = (text: string) => rootOf(text.toLowerCase()) === rootOf(said.norm);
  const ofState = table.columns.flatMap((own) =>
    isState(own) && !own.truth && !own.isTime
      ? [...own.values].filter(isSaid).map((text) => ({ name: own.name, paid: equals(own, text) }))
      : [],
  );
  const state = single(ofState);
  if (state) return query.where.some(({ column: own }) => own?.name === state.name) ? {} : state;
  const states = table.columns.filter(
    ({ truth, isTime, hasEmpty, words }) =>
      (truth ?? (isTime && hasEmpty)) && words.some((word) => ended.test(word)),
  );
  const own = states.find(({ words }) => words.some((word) => isVerbOf(word, said)));
  if (!own) return states[0] ?? {};
  const paid = columnValue(own);
  return { name: own.name, paid: stateOf(paid, true) ?? isFilled(paid) };
}

const ended = /^(?:paid|received|collected|settled)$/;
