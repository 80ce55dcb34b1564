import type { PlanPreview } from '../../contract/plan-preview.ts';
import { formatTable } from '../text/format.ts';
import { shorten } from '../text/shorten.ts';

type Steps = PlanPreview['steps'];

/** Columns that the text of a step keeps in a narrow terminal. */
const MIN_TEXT = 24;

/**
 * The steps of a plan with their capsule, class of model and dependencies, one line each. Text is escaped.
 *
 * @param width The text of a step is cut, so that a line takes at most this many columns. Default: it is not cut.
 */
export function planTable(steps: Steps, width = Number.POSITIVE_INFINITY): string {
  const facts = steps.map((step) => [capsuleText(step), step.hint ?? '', afterText(step, steps)]);
  const others = formatTable(facts).split('\n');
  const room = width - Math.max(...others.map(({ length }) => length + 2));
  const texts = steps.map(({ description }, index) =>
    shorten(`${index + 1} ${description.split('\n')[0] ?? ''}`, Math.max(MIN_TEXT, room)),
  );
  return formatTable(facts.map((cells, index) => [texts[index] ?? '', ...cells]));
}

function capsuleText({ capsule_id, route }: Steps[number]): string {
  if (route === 'create') return '(a new capsule)';
  return capsule_id === null ? '(no capsule fits)' : shorten(capsule_id, 100);
}

function afterText({ depends_on }: Steps[number], steps: Steps): string {
  const numbers = depends_on.flatMap((id) => {
    const at = steps.findIndex((step) => step.id === id);
    return at < 0 ? [] : [at + 1];
  });
  return numbers.length > 0 ? `after ${numbers.join(', ')}` : '';
}
