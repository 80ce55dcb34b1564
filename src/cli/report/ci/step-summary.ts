import { appendFileSync, statSync } from 'node:fs';
import type { CapstanEvent } from '../../../contract/event.ts';
import { printable } from '../../../contract/text/printable.ts';
import { formatCost, formatSeconds } from '../../text/format.ts';
import { changedFiles, type RunChanges } from '../changed-files.ts';
import { type ClosedRun, closingLines, reasonWords, runCost } from '../closing-lines.ts';
import { operationWords } from '../operation-words.ts';

export type StepFigures = ReturnType<typeof createStepFigures>;

/** Figures that the document of a run lacks: those of each step, and the models. */
export function createStepFigures() {
  const times = new Map<string, number>();
  const costs = new Map<string, number>();
  let models: readonly string[] = [];
  const add = (to: Map<string, number>, id: string, more: number) =>
    void to.set(id, (to.get(id) ?? 0) + more);
  return {
    take(event: CapstanEvent): void {
      if (event.type === 'provider.opened') models = [...new Set(event.models)];
      if (event.type === 'subtask.ended') add(times, event.subtask_id, event.duration_ms);
      if (event.type === 'model.answered') add(costs, event.subtask_id, event.cost_usd);
    },
    /** The sum over all attempts in this process. */
    of: (id: string) => ({ durationMs: times.get(id) ?? 0, costUsd: costs.get(id) ?? 0 }),
    models: () => models,
  };
}

interface SummaryFacts {
  readonly figures: StepFigures;
  readonly changes: RunChanges | undefined;
}

/** GitHub shows at most this of one step's summary, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** The summary of a run as Markdown: outcome, steps, questions, changes, and what to type next. */
export function stepSummary(document: ClosedRun, { figures, changes }: SummaryFacts): string {
  const { subtasks, denials } = document;
  const rows = subtasks.map((step) => stepRow(step, denials, figures));
  const next = closingLines(document, { changes, at: 'shell' }).next.map((one) => `\`${one}\``);
  const head = ['| | step | result | time | cost |', '|---|---|---|---|---|'];
  return [
    `### ${titleOf(document)}`,
    ...(rows.length > 0 ? [...head, ...rows] : []),
    ...(document.error ? ['', markdownText(document.error.message)] : []),
    '',
    factsOf(document, { figures, changes }),
    ...(next.length > 0
      ? ['', `Next, with \`CAPSTAN_HOME\` from this job: ${next.join(' · ')}`]
      : []),
    '',
  ].join('\n');
}

/** Appends a summary to the file that GitHub names, as far as it has room. A file that can't be written is left alone. */
export function appendSummary(path: string, summary: string): void {
  try {
    const room = MAX_BYTES - (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    if (Buffer.byteLength(summary) <= room) appendFileSync(path, summary);
  } catch {
    // The result of the run does not depend on it.
  }
}

/** `✗ Capstan: failed (denied) · 39 s · $0.17` */
function titleOf(document: ClosedRun): string {
  const { status, reason } = document;
  const why = reason === null || reason === status ? '' : ` (${reasonWords(reason)})`;
  const outcome = `${marks[status] ?? '✗'} Capstan: ${status}${why}`;
  const time = formatSeconds(document.duration_ms);
  return [outcome, time, runCost(document) ?? 'no model'].join(' · ');
}

const marks: Readonly<Record<string, string | undefined>> = { completed: '✓', parked: '‖' };

type Step = ClosedRun['subtasks'][number];

function stepRow(step: Step, denials: ClosedRun['denials'], figures: StepFigures): string {
  const { durationMs, costUsd } = figures.of(step.id);
  const cells = [
    marks[step.status] ?? (step.status === 'failed' ? '✗' : '–'),
    markdownText(step.description.split('\n')[0] ?? ''),
    resultOf(step, denials),
    durationMs > 0 ? formatSeconds(durationMs) : '',
    formatCost(costUsd),
  ];
  return `| ${cells.join(' | ')} |`;
}

function resultOf(step: Step, denials: ClosedRun['denials']): string {
  const { id, status, result, error } = step;
  if (status === 'completed') return markdownText(firstLineOf(result));
  const denial = denials.findLast((one) => one.subtask_id === id);
  if (status === 'failed' && denial) {
    const { request } = operationWords(denial.operation, denial.target);
    return `denied: ${markdownText(request)}`;
  }
  return `${reasonWords(status)}${error ? `: ${markdownText(error.message)}` : ''}`;
}

/** The first line of a step's result that has words. */
function firstLineOf(result: unknown): string {
  const text = typeof result === 'string' ? result : (result as { text?: unknown } | null)?.text;
  if (typeof text !== 'string') return '';
  return text.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '';
}

function factsOf(document: ClosedRun, { figures, changes }: SummaryFacts): string {
  const { approvals, isolation, provider } = document;
  const answers = approvals.map(({ kind, status, answer }) =>
    status === 'pending' ? 'open' : answerWord(kind, answer),
  );
  const models = figures.models();
  return [
    `Questions: ${answers.length === 0 ? 'none' : `${answers.length}, ${answers.join(', ')}`}`,
    `Changes: ${changes ? listed(changedFiles(changes)) : 'not known'}`,
    `Sandbox: ${isolation === '' ? 'not known' : reasonWords(isolation)}`,
    `Model: ${listed(models.length > 0 ? models : [provider])}`,
  ].join(' · ');
}

const listed = (words: readonly string[]): string =>
  words.map((one) => markdownText(one)).join(', ');

function answerWord(kind: string, answer: string | null): string {
  if (kind === 'question') return 'answered';
  return answer === 'approve' ? 'allowed' : 'denied';
}

/** Words of agents as one line of a Markdown table: a code span unless plain prose, so no HTML, link, image or mention. */
function markdownText(text: string, maxChars = 300): string {
  const line = printable(text.trim().replace(/\s+/g, ' '), maxChars);
  return isProse(line) ? line : codeSpan(line);
}

/** No character that Markdown or GitHub gives a meaning to, and nothing that GitHub links by itself. */
const isProse = (line: string): boolean =>
  /^[\p{L}\p{N} ,;'"()%$+=?/.…-]*$/u.test(line) && !/www\.|\/\/|GH-\d|\b[0-9a-f]{7,}\b/i.test(line);

function codeSpan(line: string): string {
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${line.replaceAll('|', '\\|')} ${fence}`;
}
