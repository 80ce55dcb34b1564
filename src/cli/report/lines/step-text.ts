import type { CapstanEvent } from '../../../contract/event.ts';
import { printable } from '../../../contract/text/printable.ts';
import { formatCost, formatSeconds } from '../../format.ts';
import type { StepWord } from './line-words.ts';
import type { StepFacts } from './step-facts.ts';

type EventOf<Type extends CapstanEvent['type']> = Extract<CapstanEvent, { type: Type }>;
type Words = readonly [word: StepWord, text: string];

/** `Run the cart tests (command-runner)`, `attempt 2 (command-runner)` */
export function startText(
  { attempt, capsule_id }: EventOf<'subtask.started'>,
  { description }: StepFacts,
): Words {
  if (attempt > 1) return ['retry', `attempt ${attempt} (${capsule_id})`];
  return ['start', description === '' ? capsule_id : `${description} (${capsule_id})`];
}

/** `2 of 14 fail, both in total() (4.1 s, $0.04)` */
export function endText(
  { status, message, summary, reason, duration_ms }: EventOf<'subtask.ended'>,
  { description, costUsd }: StepFacts,
): Words {
  const facts = [formatSeconds(duration_ms), ...(costUsd > 0 ? [formatCost(costUsd)] : [])];
  if (status === 'completed')
    return ['done', `${oneLine(summary ?? description)} (${facts.join(', ')})`.trim()];
  const why = printable((message ?? reason ?? '').trim().replace(/\s+/g, ' '), MAX_WHY_CHARS);
  if (status === 'skipped') return ['skipped', why.replace(/^Skipped: /, '')];
  return [status, status === 'failed' ? `${why} (${facts.join(', ')})`.trim() : why];
}

/** The only place that says why a step failed. */
const MAX_WHY_CHARS = 2_000;

const oneLine = (text: string): string => printable(text.split('\n')[0] ?? '', 300);
