import { resolve } from 'node:path';
import type { CapstanEvent } from '../../contract/event.ts';
import type { CommandIo } from '../command.ts';
import { printError } from '../errors/print-error.ts';
import { writeFileAtomic } from '../io/write-file-atomic.ts';
import type { RunChanges } from '../report/changed-files.ts';
import type { ClosedRun } from '../report/closing-lines.ts';
import { annotations } from './annotations.ts';
import { junitReport } from './junit.ts';
import { secretsToMask } from './secrets-to-mask.ts';
import { createStepFigures } from './step-figures.ts';
import { appendSummary, stepSummary } from './step-summary.ts';
import { workflowCommand } from './workflow-command.ts';

/** What a run leaves for CI besides its output. */
export interface Reports {
  onEvent(event: CapstanEvent): void;
  /** Writes all reports, once. It waits for nothing and does not throw. */
  end(document: ClosedRun, changes: RunChanges | undefined): void;
}

/** A JUnit report where one is asked for; in GitHub Actions masks, annotations and the summary of the step. */
export function openReports(io: CommandIo, junit: string | undefined): Reports {
  const { workflow, environment } = io;
  const figures = createStepFigures();
  let hasEnded = false;
  for (const secret of workflow ? secretsToMask(environment) : [])
    workflow?.(workflowCommand('add-mask', secret));
  return {
    onEvent: figures.take,
    end(document, changes) {
      if (hasEnded) return;
      hasEnded = true;
      if (junit !== undefined) writeJunit(io, junit, document);
      for (const command of workflow ? annotations(document) : []) workflow?.(command);
      const summary = workflow && environment['GITHUB_STEP_SUMMARY'];
      if (summary) appendSummary(summary, stepSummary(document, { figures, changes }));
    },
  };

  function writeJunit(to: CommandIo, path: string, document: ClosedRun): void {
    try {
      const report = junitReport(document, figures, new Date().toISOString());
      writeFileAtomic(resolve(to.cwd, path), report);
    } catch (error) {
      printError(to, error);
    }
  }
}
