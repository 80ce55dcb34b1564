import { shortId } from '../../../text/short-id.ts';
import { shorten } from '../../../text/shorten.ts';
import type { MenuContext } from '../../program/create-context.ts';

/** Width of the question without the task, in columns. */
const QUESTION_COLUMNS = 52;

/** Asks whether to continue a parked run without open questions. A run of another process continues by itself. */
export async function offerResume(context: MenuContext, runId: string): Promise<void> {
  const { run } = await context.capstan.runs.get(runId);
  if (run.status !== 'parked' || run.openQuestions > 0) return;
  const room = Math.max(8, context.frame().width - QUESTION_COLUMNS);
  const name = `${shortId(runId)}: ${shorten(run.task, room)}`;
  if (!(await context.confirm(`Continue the parked run ${name}?`))) {
    context.print(
      `  It stays parked. To continue it, open /runs, choose ${shortId(runId)} and press r.`,
    );
    return;
  }
  context.closeView();
  await context.conversation.resume(runId);
}
