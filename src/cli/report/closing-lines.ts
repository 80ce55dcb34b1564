import type { RunDocument } from '../../app/runs/show/run-document.ts';
import { stepCounts } from '../../app/runs/show/step-counts.ts';
import type { NextAction } from '../../contract/next.ts';
import { firstLine } from '../../contract/text/first-line.ts';
import { printable } from '../../contract/text/printable.ts';
import { vendorFacts } from '../../contract/vendors.ts';
import { correctedRun } from '../errors/corrected-run.ts';
import { commandLinesOf } from '../errors/next-command.ts';
import { formatCost, formatSeconds, formatTokens } from '../text/format.ts';
import { shortId } from '../text/short-id.ts';
import { changedFiles, type RunChanges } from './changed-files.ts';
import { operationWords } from './operation-words.ts';

export interface ClosingOptions {
  /** Of the run: `capstan.runs.diff`. Undefined: not known, for example because the run has no row. */
  readonly changes: RunChanges | undefined;
  /** Where the person types next: at the prompt of the conversation, or in a shell. */
  readonly at: 'conversation' | 'shell';
  /** How long the run waited for a person, which counts for its duration. Default: 0. */
  readonly waitedMs?: number;
}

/** A run's document. `run_id` is null if the run could not start and has no row. */
export type ClosedRun = Omit<RunDocument, 'run_id'> & { readonly run_id: string | null };

/** The last lines of a run that has ended or parked, as parts that a surface joins: with ` · ` at a terminal. All text is escaped. */
export function closingLines(document: ClosedRun, options: ClosingOptions) {
  return {
    mark: markOf(document),
    /** `Done in 29 s (12 s waiting for you)`, `3 of 3`, `$0.26` */
    outcome: outcomeOf(document, options),
    /** `changed src/cart.js +1 -1`, `new CHANGELOG.md +4`; for a parked run its open question first. */
    changes: changesOf(document, options.changes),
    /** The next commands. Empty if a run in a shell is done and changed nothing. */
    next: nextOf(document, options),
  };
}

/** The symbol before the first line: `✓`, `✗` or `‖`. */
const markOf = ({ status }: ClosedRun): 'done' | 'failed' | 'parked' => {
  if (status === 'completed') return 'done';
  return status === 'parked' ? 'parked' : 'failed';
};

const openOf = ({ approvals }: ClosedRun) => approvals.filter(({ status }) => status === 'pending');

/** A shorter wait for the person is not worth a word. */
const SHOWN_WAIT_MS = 10_000;

function outcomeOf(document: ClosedRun, { waitedMs = 0 }: ClosingOptions): readonly string[] {
  const { status, subtasks, duration_ms: ms } = document;
  const waited =
    waitedMs < SHOWN_WAIT_MS ? '' : ` (${formatSeconds(Math.min(waitedMs, ms))} waiting for you)`;
  const time = `${formatSeconds(ms)}${waited}`;
  const { done, all, replaced } = stepCounts(subtasks);
  const again = replaced > 0 ? ` (${replaced} planned again)` : '';
  const steps = all > 0 ? [`${done} of ${all}${again}`] : [];
  const facts = [...steps, runCost(document) ?? ''].filter((fact) => fact !== '');
  if (status === 'completed') return [`Done in ${time}`, ...facts];
  if (status === 'parked') return [`Parked after ${time}`, ...facts, parkedWhy(document)];
  return [failedWhy(document), time, ...facts];
}

/** `a question waits`, `the model is unavailable` */
export function parkedWhy(document: ClosedRun): string {
  const open = openOf(document);
  if (open.length > 1) return `${open.length} questions wait`;
  if (open[0]?.is_forced) return 'a question waits that only a person can answer';
  if (open[0]) return 'a question waits';
  return parkedReasons[document.reason ?? ''] ?? 'it can be resumed';
}

const parkedReasons: Readonly<Record<string, string>> = {
  provider: 'the model is unavailable',
  interrupted: 'interrupted',
  crashed: 'its process ended',
};

/** `Denied: npm publish was not run`, `Failed: budget`, `Cancelled`. */
function failedWhy({ status, reason, denials }: ClosedRun): string {
  if (status === 'cancelled') return 'Cancelled';
  const denial = reason === 'denied' || reason === 'expired' ? denials.at(-1) : undefined;
  if (denial) {
    const head = reason === 'expired' ? 'Denied, no answer in time' : 'Denied';
    return `${head}: ${operationWords(denial.operation, denial.target).undone}`;
  }
  return reason === null || reason === 'subtask_failed'
    ? 'Failed'
    : `Failed: ${reasonWords(reason)}`;
}

/** The reason of a run as words: `plan_invalid` is `plan invalid`. */
export const reasonWords = (reason: string): string => printable(reason.replaceAll('_', ' '));

function changesOf(document: ClosedRun, changes: RunChanges | undefined): readonly string[] {
  const [first, ...others] = openOf(document);
  return [
    ...(first ? [`${printable(firstLine(first.question), 120)} (${shortId(first.id)})`] : []),
    ...(others.length > 0 ? [`${others.length} more`] : []),
    ...(changes ? changedFiles(changes) : []),
  ];
}

function nextOf(document: ClosedRun, { changes, at }: ClosingOptions): readonly string[] {
  const { status, run_id, next } = document;
  const isTyped = at === 'conversation';
  if (status === 'parked') return isTyped ? waitingWords(document) : waitingCommands(document);
  const undo = changes && changes.files.length > 0 ? undoWords(run_id ?? '', changes, at) : [];
  if (isTyped) return [...undo, ...wordsAtPrompt(document, undo.length > 0)];
  if (status === 'completed') return undo;
  if (correctedRun(document) !== undefined) return undo.slice(-1);
  const suggested = next.flatMap(commandLinesOf);
  const show = run_id === null ? [] : [`capstan runs show ${shortId(run_id)}`];
  return suggested.length > 0 ? suggested : [...show, ...undo.slice(-1)];
}

function undoWords(runId: string, changes: RunChanges, at: ClosingOptions['at']) {
  const id = shortId(runId);
  const count = changes.files.filter(({ undoable }) => undoable).length;
  if (at === 'shell')
    return [`capstan runs diff ${id}`, ...(count > 0 ? [`capstan runs undo ${id}`] : [])];
  const all = changes.files.length;
  const takes = count === all ? 'takes it back' : `takes back ${count} of ${all}`;
  return ['/diff shows it', ...(count > 0 ? [`/undo ${takes}`] : [])];
}

/** The slash commands that replace command lines in the conversation. */
const slashWords: { readonly [Action in NextAction['action']]?: string } = {
  resume: '/resume continues it',
  choose_provider: '/setup sets a model and its key',
  clear_session: '/clear leaves the earlier tasks out',
  list_approvals: '/approvals lists them',
  inspect_capsule: '/capsules shows it',
  run_doctor: '/doctor says what is missing',
};

const typedWords = (one: NextAction) => slashWords[one.action] ?? commandLinesOf(one);

const withoutAnswers = ({ next }: ClosedRun) => next.filter(({ action }) => action !== 'answer');

/** In the conversation, everything can be typed as it is. */
function wordsAtPrompt(document: ClosedRun, isLast: boolean): readonly string[] {
  const isDone = document.status === 'completed';
  const words = isDone ? 'type what is next' : 'type what to do instead';
  const commands = isDone ? [] : withoutAnswers(document).flatMap(typedWords);
  return [...commands, isLast || commands.length > 0 ? `or ${words}` : words];
}

/** In the conversation: a parked run's questions are answered first. */
function waitingWords(document: ClosedRun): readonly string[] {
  const open = openOf(document).length;
  if (open > 0) return [`/approvals answers ${open === 1 ? 'it' : 'them'}`];
  return document.next.flatMap(typedWords);
}

/** One question is shown by its id; several are listed. */
function waitingCommands(document: ClosedRun): readonly string[] {
  const [first, ...more] = openOf(document);
  const others = withoutAnswers(document).flatMap(commandLinesOf);
  if (!first) return others;
  const one = `capstan approvals show ${shortId(first.id)}`;
  return [more.length > 0 ? 'capstan approvals list' : one, ...others];
}

type Costs = Pick<RunDocument, 'provider' | 'cost_usd' | 'estimated_cost_usd' | 'usage'>;

/** `$0.17`, `about $0.17` if a vendor reported no figures, `free (local model)`, `41k tok` if they cost nothing, or undefined. */
export function runCost(costs: Costs): string | undefined {
  const { provider, cost_usd, estimated_cost_usd = 0, usage } = costs;
  if (cost_usd > 0) return `${estimated_cost_usd > 0 ? 'about ' : ''}${formatCost(cost_usd)}`;
  if (vendorFacts(provider)?.isFree) return 'free (local model)';
  const tokens = usage.input_tokens + usage.output_tokens;
  if (tokens > 0) return formatTokens(tokens);
  return provider === '' || provider === 'offline' ? undefined : formatCost(0);
}

/** The answer of a run after its steps; null if there is none, or if nothing was done and it only repeats why the steps failed. */
export function finalAnswer(document: Pick<RunDocument, 'answer' | 'status' | 'subtasks'>) {
  const { answer, status, subtasks } = document;
  if (answer === null || answer === '' || status !== 'failed') return answer || null;
  const failures = subtasks.flatMap(({ error }) => error?.message.trim() ?? []);
  const isRepeated =
    failures.length > 0 &&
    subtasks.every((one) => one.status !== 'completed') &&
    failures.every((message) => !message.includes('\n') && answer.includes(message));
  return isRepeated ? null : answer;
}
