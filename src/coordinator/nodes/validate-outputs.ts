import type { RunContext } from '../context/run-context.ts';
import { judgeRun } from '../final/judge-run.ts';
import type { RunUpdate } from '../state.ts';
import { endedBy } from '../stop/run-stop.ts';

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
