import { escapeText } from '../../../contract/text/escape-text.ts';
import type { CommandIo } from '../../command.ts';
import { printError } from '../../errors/print-error.ts';
import { writeFileAtomic } from '../../io/write-file-atomic.ts';
import type { RunChanges } from '../changed-files.ts';
import type { ClosedRun } from '../closing-lines.ts';
import { junitReport } from './junit.ts';
import { appendSummary, createStepFigures, type StepFigures, stepSummary } from './step-summary.ts';
import { workflowCommand } from './workflow-command.ts';

/** A JUnit report at the absolute path `junit`, if any; in GitHub Actions masks, annotations and the summary of the step. */
export function openReports(io: CommandIo, junit: string | undefined) {
  const { workflow, environment } = io;
  const figures = createStepFigures();
  let hasEnded = false;
  let isWritten = true;
  for (const secret of workflow ? secretsToMask(environment) : [])
    workflow?.(workflowCommand('add-mask', secret));
  return {
    onEvent: figures.take,
    /** Writes all reports, once. It does not wait and does not throw. False if the JUnit report could not be written. */
    end(document: ClosedRun, changes: RunChanges | undefined): boolean {
      if (hasEnded) return isWritten;
      hasEnded = true;
      if (junit !== undefined) isWritten = isJunitWritten(io, junit, document, figures);
      for (const command of workflow ? annotations(document) : []) workflow?.(command);
      const summary = environment['GITHUB_STEP_SUMMARY'];
      if (summary) appendSummary(summary, stepSummary(document, { figures, changes }));
      return isWritten;
    },
  };
}

function isJunitWritten(io: CommandIo, path: string, document: ClosedRun, figures: StepFigures) {
  try {
    writeFileAtomic(path, junitReport(document, figures, new Date().toISOString()));
    return true;
  } catch (error) {
    printError(io, error);
    return false;
  }
}

/** Shorter values are too common to mask. */
const MIN_CHARS = 16;

/** Values of the environment that are secrets by their name: what GitHub Actions should mask in all later output. */
const secretsToMask = (environment: NodeJS.ProcessEnv): readonly string[] => [
  ...new Set(
    Object.entries(environment).flatMap(([name, value = '']) =>
      /(API_KEY|TOKEN|SECRET|PASSWORD)$/.test(name) && value.length >= MIN_CHARS ? [value] : [],
    ),
  ),
];

/** GitHub shows at most 10 of a step. */
const MAX_COUNT = 10;

/** One error annotation for each failed subtask, or for the run if it failed without one. */
function annotations({ subtasks, error, status }: ClosedRun): readonly string[] {
  const failed = subtasks.filter((one) => one.status === 'failed');
  const found = failed.map((one) =>
    errorCommand(one.description.split('\n')[0] ?? one.id, one.error?.message ?? one.reason ?? ''),
  );
  if (found.length > 0) return found.slice(0, MAX_COUNT);
  return status === 'failed' && error ? [errorCommand('Capstan', error.message)] : [];
}

const errorCommand = (title: string, message: string): string =>
  workflowCommand('error', escapeText(message, true), escapeText(title));
