import { judgeRun } from '../judge-run.ts';
import type { RunContext } from '../run-context.ts';
import { endedBy } from '../run-stop.ts';
import type { RunUpdate } from '../state.ts';

/** Node: judges the run from its rows. Writes `verdict`. */
export const validateOutputs =
  ({ parts, record, signal }: RunContext) =>
  async (): Promise<RunUpdate> => ({
    verdict: judgeRun({
      subtasks: parts.subtasks.of(record.id),
      intents: parts.journal.summariesOf(record.id),
      stoppedBy: endedBy(signal),
    }),
  });
