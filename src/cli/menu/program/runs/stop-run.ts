import { failedWith } from '../../../../contract/errors.ts';
import { shortId } from '../../../text/short-id.ts';
import { BY } from '../conversation.ts';
import type { Menu } from '../menu.ts';
import { isRunning } from './live-run.ts';

/** A second Esc within this time counts as the same press, in milliseconds. */
const SAME_PRESS_MS = 500;

/** Esc: stops the run in focus; again: asks whether to discard it for good. */
export async function stopFocused({ conversation, context, screen }: Menu): Promise<void> {
  const run = conversation.focused();
  if (!run) return;
  const now = performance.now();
  if (isRunning(run) && run.stoppedMs === undefined) {
    run.stoppedMs = now;
    await context.capstan.runs.stop(run.id, { by: BY }).catch((error) => {
      if (!failedWith(error, 'RUN_ENDED')) context.fail(error);
    });
    return;
  }
  if (run.stoppedMs === undefined || now - run.stoppedMs < SAME_PRESS_MS) return;
  if (!isRunning(run) && run.status !== 'parked') return;
  if (!(await context.confirm(`Discard run ${shortId(run.id)} for good?`))) return;
  try {
    await run.over;
    await context.capstan.runs.cancel(run.id, { by: BY });
    run.status = 'cancelled';
    const { style, symbols } = screen.frame();
    context.print(`${style.red(symbols.failed)} Discarded run ${shortId(run.id)}`);
  } catch (error) {
    context.fail(error);
  }
}
