import type { RunDocument } from '../../app/runs/show/run-document.ts';
import { escapeControls, escapeProse, escapeText } from '../../contract/text/escape-text.ts';
import { forecastText } from '../../contract/text/forecast-text.ts';
import { printable } from '../../contract/text/printable.ts';
import type { CommandIo } from '../command.ts';
import { correctedRun } from '../errors/corrected-run.ts';
import { printError } from '../errors/print-error.ts';
import { isShownAt, type LogLevel } from '../options/log-level.ts';
import { counted, formatSeconds, formatTable } from '../text/format.ts';
import type { RunChanges } from './changed-files.ts';
import {
  type ClosedRun,
  closingLines,
  finalAnswer,
  parkedWhy,
  reasonWords,
  runCost,
} from './closing-lines.ts';

interface PrintResultOptions {
  readonly io: CommandIo;
  /** Writes to stderr. */
  readonly write: (text: string) => void;
  readonly level: LogLevel;
  readonly changes: RunChanges | undefined;
  readonly exitCode: number;
  /** Whole sentences, for screen readers. */
  readonly isPlain: boolean;
}

/** Prints the answer of a run on stdout, then its last lines on stderr: at every log level if it has not completed. */
export function printResult(
  document: RunDocument,
  { io, write, level, changes, exitCode, isPlain }: PrintResultOptions,
): void {
  const { error, status } = document;
  const isProgressShown = isShownAt('info', level);
  const answer = isProgressShown ? finalAnswer(document) : document.answer;
  if (error) printError({ ...io, stderr: write }, new Error(error.message), []);
  if (!answer && !isProgressShown) write(failuresOf(document));
  const plan = planText(document);
  if (plan !== '') io.stdout(plan);
  else if (answer) io.stdout(`${shownAnswer(answer, io)}\n`);
  const corrected = correctedRun(document);
  if (corrected !== undefined) write(`  Try: ${corrected}\n`);
  if (isProgressShown || status !== 'completed')
    write(closingText(document, { changes, exitCode, isPlain }));
}

/** Without an answer and progress, only these lines say why a subtask failed. */
const failuresOf = ({ subtasks }: RunDocument): string =>
  subtasks
    .filter(({ status, error }) => status === 'failed' && error)
    .map(({ id, error }) => `${escapeText(id)}: ${escapeText(error?.message ?? '', true)}\n`)
    .join('');

/** The answer may contain text from files and pages: a pipe may lead to a terminal, too, but joiners of its text stay. */
function shownAnswer(answer: string, { isOutputTerminal }: CommandIo): string {
  const text = answer.trimEnd().replace(/\r\n/g, '\n');
  return isOutputTerminal ? escapeProse(text) : escapeControls(text);
}

type PlannedStep = NonNullable<RunDocument['plan']>[number];

/** The plan of a dry run, one line for each step, then the forecast. Empty if the run made no plan to show. */
function planText({ plan, forecast }: RunDocument): string {
  if (!plan) return '';
  const rows = plan.map((step, index) => {
    const what = `${index + 1} ${printable(step.description.split('\n')[0] ?? '')}`;
    const none = step.route === 'create' ? '(a new capsule)' : '(no capsule fits)';
    return [what, step.capsule_id ?? none, step.hint ?? '', afterText(step, plan)];
  });
  return `${formatTable(rows)}${forecast ? `${forecastText(forecast)}\n` : ''}`;
}

function afterText({ depends_on }: PlannedStep, plan: readonly PlannedStep[]): string {
  const numbers = depends_on.map((id) => plan.findIndex((one) => one.id === id) + 1);
  return numbers.length > 0 ? `after ${numbers.join(', ')}` : '';
}

/** The last two lines for pipes and logs: `failed: denied, 39 s, exit code 4`, then `nothing changed; next: capstan runs show 3f9c0a12`. */
function closingText(
  document: ClosedRun,
  { changes, exitCode, isPlain }: Pick<PrintResultOptions, 'changes' | 'exitCode' | 'isPlain'>,
): string {
  const closing = closingLines(document, { changes, at: 'shell' });
  const { status, subtasks } = document;
  const facts = [
    status === 'completed' && subtasks.length > 0 ? counted(subtasks.length, 'step') : '',
    formatSeconds(document.duration_ms),
    runCost(document) ?? '',
    exitCode === 0 ? '' : `exit code ${exitCode}`,
  ].filter((fact) => fact !== '');
  const outcome = `${outcomeOf(document)}${facts.join(', ')}`;
  const changed = closing.changes.join(', ');
  const next = closing.next.length > 0 ? `next: ${closing.next.join(', ')}` : '';
  const after = [changed, next].filter((part) => part !== '').join('; ');
  if (!isPlain) return `${outcome}\n${after === '' ? '' : `${after}\n`}`;
  const verb = outcome.startsWith('failed') ? '' : 'is ';
  const files = changed === '' ? '' : `Files: ${changed}.\n`;
  return `The run ${verb}${outcome}.\n${files}${next === '' ? '' : `N${next.slice(1)}\n`}`;
}

/** `done: `, `failed: denied, `, `parked: a question waits, ` */
function outcomeOf(document: ClosedRun): string {
  const { status, reason } = document;
  if (status === 'completed') return 'done: ';
  if (status === 'parked') return `parked: ${parkedWhy(document)}, `;
  if (status === 'cancelled') return 'cancelled: ';
  return reason === null || reason === 'subtask_failed'
    ? 'failed: '
    : `failed: ${reasonWords(reason)}, `;
}
