import { readTask } from './plan-task.ts';
import { hasEffect } from './step.ts';

const opening = /^\s*(?:and|but|also|now|only|just|what about|how about)\b/i;
const pointing = /\b(?:them|they|their|those|these|it|its|the (?:same|results?|answer|output))\b/;

/** Whether a task refers to the previous one: `And only the ids`, `Save them as open.csv`. */
export function isFollowUp(text: string): boolean {
  const [first] = readTask(text).steps;
  if (first === undefined) return opening.test(text);
  if (first.inputs.length > 0) return false;
  return first.role === 'save' || opening.test(text) || pointing.test(first.main.gist);
}

/** Combines a task with the earlier questions (oldest first) that it continues. Undefined if one of them changes something, so that it can't be repeated. */
export function withEarlier(text: string, earlier: readonly string[]): string | undefined {
  if (earlier.length === 0 || !isFollowUp(text)) return text;
  const from = earlier.findLastIndex((task) => !isFollowUp(task));
  const asked = (from < 0 ? [] : earlier.slice(from)).map(withoutSaving);
  const continued = asked
    .map((task) => task.trim().replace(/[^.!?]$/, '$&.'))
    .join(' ')
    .trim();
  return readTask(continued).steps.some(hasEffect)
    ? undefined
    : `${continued} ${text.replace(now, '$1')}`.trim();
}

/** `And now only for DE`, `Now, only the ids`, `And only now for DE` */
const now = /^(\s*(?:(?:and|but|also|only|just)\s+){0,2})now\b,?\s*/i;

/** Whether a task changes something besides saving its answer, so that it can't be repeated for a follow-up. */
export const isChange = (task: string): boolean =>
  readTask(withoutSaving(task)).steps.some(hasEffect);

/** Whether a follow-up only narrows or asks about the earlier answer: `And only for DE`. */
export const isRefinement = (task: string): boolean =>
  isFollowUp(task) &&
  readTask(withoutSaving(task)).steps.every(
    (step) => !hasEffect(step) || step.main.kind === 'context',
  );

/** Removes the file for the answer from a task, because it is already written. */
function withoutSaving(text: string): string {
  const { steps, said } = readTask(text);
  const saved = steps.find(({ role }) => role === 'save');
  return saved === undefined ? text : said.slice(0, saved.main.pieces[0]?.start).replace(joint, '');
}

const joint = /[\s,;]*(?:\b(?:and|then|and then)\b)?[\s,;]*$/i;
