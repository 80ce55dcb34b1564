import type { RunDocument } from '../app/runs/run-document.ts';
import { escapeText } from '../contract/text/escape-text.ts';
import type { CommandIo } from './command.ts';
import { formatBytes, formatCost, formatDuration } from './format.ts';
import { isTold, type LogLevel } from './log-level.ts';
import { commandLinesOf } from './next-command.ts';
import { outcomeText } from './outcome-text.ts';

/** Ends a run at this terminal: what became of it on stderr as far as the level lets it, its answer on stdout. */
export function conclude(
  document: RunDocument,
  { io, tell, level }: { io: CommandIo; tell: (text: string) => void; level: LogLevel },
): void {
  const { answer, error, status, next } = document;
  const isUntold = status !== 'completed' && !answer && !error && next.length === 0;
  if (isTold('info', level)) tell(`\n${factsOf(document)}`);
  else if (isUntold) io.stderr(`${outcomeOf(document)}\n`);
  // Whoever wants no progress wants to know why there is no answer.
  if (error) io.stderr(`${error.code}: ${escapeText(error.message, true)}\n`);
  if (isTold('info', level)) tell('\n');
  if (answer) io.stdout(`${shownAnswer(answer, io)}\n`);
  if (next.length > 0) io.stderr(`${whatNext(document)}\n`);
}

function factsOf(document: RunDocument): string {
  const { input_tokens, output_tokens } = document.usage;
  const sum = input_tokens + output_tokens;
  const tokens = sum > 0 ? ` · ${sum} tokens` : '';
  const joint = document.status === 'parked' ? ' · ' : ' in ';
  const head = `${outcomeOf(document)}${joint}${formatDuration(document.duration_ms)} · ${formatCost(document.cost_usd)}${tokens}\n`;
  const files = document.artifacts.map(
    ({ path, bytes }) => `wrote ${escapeText(path)} (${formatBytes(bytes)})\n`,
  );
  return [head, ...files].join('');
}

const outcomeOf = (document: RunDocument): string =>
  outcomeText(document, document.approvals.filter(({ status }) => status === 'pending').length);

/** The answer may hold whatever a file or a page holds: a terminal gets it escaped, a pipe as it is. */
const shownAnswer = (answer: string, { isOutputTerminal }: CommandIo): string =>
  isOutputTerminal ? escapeText(answer.trimEnd().replace(/\r\n/g, '\n'), true) : answer.trimEnd();

/** A parked run says what it waits for, and what to type. */
function whatNext({ approvals, next }: RunDocument): string {
  const questions = approvals
    .filter(({ status }) => status === 'pending')
    .map(({ question }) => `It waits for an answer: ${escapeText(question)}`);
  return [...questions, ...next.flatMap(commandLinesOf).map((command) => `  ${command}`)].join(
    '\n',
  );
}
