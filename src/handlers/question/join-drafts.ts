import { type Draft, hasTarget } from './draft.ts';
import { ambiguous, unclear } from './failures.ts';

/** Whether something is asked for beside the values of an object. */
export const hasOwnTarget = (draft: Draft): boolean =>
  draft.measures.length > 0 ||
  draft.ranking !== undefined ||
  draft.selection !== undefined ||
  draft.isAllRows;

/** Joins drafts that say how an answer is written with the question before them. */
export function joinDrafts(drafts: readonly Draft[]): Draft[] {
  const questions: Draft[] = [];
  for (const draft of drafts) {
    const before = questions.at(-1);
    if (before && isObjectOf(draft, before)) amend(before, draft, questions.length);
    else if (isQuestion(draft) || (isSelfExplained(draft) && !before)) questions.push(draft);
    else if (saysForm(draft)) amend(before, draft, questions.length);
  }
  if (questions.length === 0) throw unclear('Nothing is asked for.');
  spreadLeading(questions);
  return questions;
}

const isQuestion = (draft: Draft): boolean =>
  hasTarget(draft) || draft.groupBy.length > 0 || draft.filters.length > 0;

const saysForm = ({ output, orders, rounded, definitions, limit, unit }: Draft): boolean =>
  output.length + orders.length + rounded.length + definitions.size > 0 ||
  limit !== undefined ||
  unit !== undefined;

/**
 * "How many customers are in Brazil? Write n.json with {"customers"}": the object holds what was asked before.
 *
 * @throws TaskError `AMBIGUOUS` where its values say themselves what they are, and the question before narrows the rows.
 */
function isObjectOf(draft: Draft, before: Draft): boolean {
  const shape = draft.output.find((output) => output.shape !== undefined)?.shape;
  const isWritten = before.output.some(({ file }) => file !== undefined);
  if (!shape || shape.isList || hasOwnTarget(draft) || isWritten || draft.groupBy.length > 0)
    return false;
  if (draft.filters.length === 0 && shape.entries.some(({ words, inner }) => !words && !inner))
    return true;
  const narrows =
    before.filters.length +
      before.having.length +
      before.measures.flatMap(({ own }) => own).length >
    0;
  if (narrows)
    throw ambiguous(
      'Whether the object is about all rows, or about those of the question before, is not clear. Say it in one sentence.',
    );
  return false;
}

/** A list whose keys say what it holds. */
const isSelfExplained = ({ output }: Draft): boolean =>
  output.some(({ shape, keys }) => shape?.isList === true || keys !== undefined);

/** What stands in front of the first of several questions of a sentence holds for all of them. */
function spreadLeading(questions: readonly Draft[]): void {
  for (const [at, draft] of questions.entries()) {
    const before = questions[at - 1];
    if (!before) continue;
    const isOpen = before.isGroupLed || (draft.startsSentence && before.leadingFilters > 0);
    if (isOpen) {
      throw ambiguous(
        'What stands in front of the first question may hold for the next ones too. Repeat it in each, or ask one at a time.',
      );
    }
    draft.filters.unshift(...before.filters.slice(0, before.leadingFilters));
    draft.leadingFilters += before.leadingFilters;
  }
}

/** "Write result.json as a list of …" after a question says how it is written. */
function amend(question: Draft | undefined, draft: Draft, count: number): void {
  if (!question) throw unclear('Nothing is asked for.');
  if (count > 1 && draft.output.some(({ file }) => file !== undefined)) {
    throw ambiguous(
      'Several things are asked for; which of them is written to the file is not clear.',
    );
  }
  question.output.push(...draft.output);
  question.orders.push(...draft.orders);
  question.rounded.push(...draft.rounded);
  question.limit ??= draft.limit;
  question.unit ??= draft.unit;
  for (const [name, measure] of draft.definitions) question.definitions.set(name, measure);
}
