import type { EventOf } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { reasonWords } from '../../report/closing-lines.ts';
import { formatCost, formatSeconds } from '../../text/format.ts';
import { FIXED_SPACE, wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';
import type { ShownStep } from './run-model.ts';

type Ended = EventOf<'subtask.ended'>;

/** Draws an ended step: `✓ 1 Ran the cart tests: 2 of 14 fail · 4.1 s · $0.04`. */
export function stepEndLines(step: ShownStep, event: Ended, frame: Frame): string[] {
  const { style, symbols, width } = frame;
  const isDone = event.status === 'completed';
  const isSkipped = event.status === 'skipped';
  const mark = isDone ? symbols.done : isSkipped ? symbols.skipped : symbols.failed;
  const head = `${mark} ${step.number} `;
  const facts = [
    ...(event.duration_ms > 0 ? [formatSeconds(event.duration_ms)] : []),
    ...(step.costUsd > 0 ? [formatCost(step.costUsd)] : []),
  ].map((fact) =>
    `${symbols.separator}${fact}`.replaceAll(' ', FIXED_SPACE).replace(FIXED_SPACE, ' '),
  );
  const [first = '', ...rest] = wrapProse(
    `${textOf(step, event)}${style.dim(facts.join(''))}`,
    width,
    head,
  );
  const paint = isDone ? style.green : isSkipped ? style.dim : style.red;
  return [`${paint(mark)}${first.slice(mark.length)}`, ...rest];
}

function textOf(step: ShownStep, { status, summary, reason, message }: Ended): string {
  const description = plain(step.description);
  if (status === 'completed') return summary === undefined ? description : plain(summary);
  if (status === 'skipped') {
    const needs = step.after.length > 0 ? `: needs ${step.after.join(', ')}` : '';
    return `${description} · skipped${needs}`;
  }
  if (status === 'cancelled') return `${description} · cancelled`;
  const isDenied = reason === 'denied' || reason === 'expired';
  const why = message ?? (reason === null ? '' : reasonWords(reason));
  return `${description} · ${isDenied ? 'denied' : 'failed'}${why === '' ? '' : `: ${plain(why)}`}`;
}

const plain = (text: string): string => escapeText(text.replace(/\s+/g, ' ').trim());
