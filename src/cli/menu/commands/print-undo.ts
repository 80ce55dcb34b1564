import { planText, questionOf, resultText } from '../../commands/changes/runs-undo.ts';
import type { MenuContext } from '../menu-context.ts';

/** Lists what an undo of a run would do, asks, and does it. */
export async function printUndo(context: MenuContext, runId: string): Promise<void> {
  const result = await context.capstan.runs.undo(runId, {
    by: 'terminal',
    confirm: (plan) => {
      context.print(planText(plan).trimEnd().replace(/^/gm, '  '));
      return context.confirm(questionOf(plan));
    },
  });
  context.print(resultText(result).trimEnd().replace(/^/gm, '  '));
}
