import type { RunDocument } from '../../app/runs/run-document.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { CommandIo } from '../command.ts';
import { correctedRun } from '../errors/corrected-run.ts';
import { commandLinesOf } from '../errors/next-command.ts';
import { formatBytes, formatCost, formatDuration } from '../format.ts';
import { isShownAt, type LogLevel } from '../options/log-level.ts';
import { shortId } from '../text/short-id.ts';
import { outcomeText } from './outcome-text.ts';

/** Prints the result of a run: its outcome on stderr if the log level allows it, its answer on stdout. */
export function printResult(
  document: RunDocument,
  { io, write, level }: { io: CommandIo; write: (text: string) => void; level: LogLevel },
): void {
  const { answer, error, status, next } = document;
  const isUnexplained = status !== 'completed' && !answer && !error && next.length === 0;
  if (isShownAt('info', level)) write(`\n${factsOf(document)}`);
  else if (isUnexplained) io.stderr(`${outcomeOf(document)}\n`);
  // The reason for a missing answer is shown at every level.
  if (error) io.stderr(`${error.code}: ${escapeText(error.message, true)}\n`);
  if (!answer) io.stderr(failuresOf(document));
  if (isShownAt('info', level)) write('\n');
  if (answer) io.stdout(`${shownAnswer(answer, io)}\n`);
  const corrected = correctedRun(document);
  if (corrected !== undefined) io.stderr(`  Try: ${corrected}\n`);
  if (next.length > 0) io.stderr(`${whatNext(document)}\n`);
}

/** Without an answer, nothing else says why a subtask failed. */
const failuresOf = ({ subtasks }: RunDocument): string =>
  subtasks
    .flatMap(({ id, status, error }) =>
      status === 'failed' && error
        ? [`${escapeText(id)}: ${escapeText(error.message, true)}\n`]
        : [],
    )
    .join('');

function factsOf(document: RunDocument): string {
  const { input_tokens, output_tokens, estimated_tokens = 0 } = document.usage;
  const sum = input_tokens + output_tokens;
  const tokens = sum > 0 ? ` · ${estimated_tokens > 0 ? 'about ' : ''}${sum} tokens` : '';
  const { estimated_cost_usd = 0 } = document;
  const estimated =
    estimated_cost_usd > 0 ? ` (${formatCost(estimated_cost_usd)} of it estimated)` : '';
  const joint = document.status === 'parked' ? ' · ' : ' in ';
  const head = `${outcomeOf(document)}${joint}${formatDuration(document.duration_ms)} · ${formatCost(document.cost_usd)}${estimated}${tokens} · run ${shortId(document.run_id)}\n`;
  const files = document.artifacts.map(
    ({ path, bytes }) => `wrote ${escapeText(path)} (${formatBytes(bytes)})\n`,
  );
  return [head, ...files].join('');
}

const outcomeOf = (document: RunDocument): string =>
  outcomeText(document, document.approvals.filter(({ status }) => status === 'pending').length);

/** The answer may contain text from files and pages: escaped for a terminal, unchanged for a pipe. */
const shownAnswer = (answer: string, { isOutputTerminal }: CommandIo): string =>
  isOutputTerminal ? escapeText(answer.trimEnd().replace(/\r\n/g, '\n'), true) : answer.trimEnd();

/** The numbered choices of a capsule's question, each on a line of its own. */
function choicesOf(id: string, next: RunDocument['next']): string {
  const found = next.find((one) => one.action === 'answer' && one.id === id);
  if (found?.action !== 'answer' || found.free_text === undefined) return '';
  return found.choices.map((choice, i) => `\n  ${i + 1} ${escapeText(choice)}`).join('');
}

/** The open questions of a parked run, and the commands that continue it. */
function whatNext({ approvals, next }: RunDocument): string {
  const questions = approvals
    .filter(({ status }) => status === 'pending')
    .map(
      ({ id, question }) => `Waiting for an answer: ${escapeText(question)}${choicesOf(id, next)}`,
    );
  return [...questions, ...next.flatMap(commandLinesOf).map((command) => `  ${command}`)].join(
    '\n',
  );
}
