import { planText, questionOf, resultText } from '../../commands/changes/runs-undo.ts';
import type { MenuContext } from '../program/create-context.ts';

/** Lists the steps of an undo, asks, and performs it. */
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
