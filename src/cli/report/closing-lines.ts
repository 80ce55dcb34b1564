import type { RunDocument } from '../../app/runs/show/run-document.ts';
import { stepCounts } from '../../app/runs/show/step-counts.ts';
import type { NextAction } from '../../contract/next.ts';
import { firstLine } from '../../contract/text/first-line.ts';
import { printable } from '../../contract/text/printable.ts';
import { correctedRun } from '../errors/corrected-run.ts';
import { commandLinesOf } from '../errors/next-command.ts';
import { formatSeconds } from '../text/format.ts';
import { shortId } from '../text/short-id.ts';
import { changedFiles, isUndoable, type RunChanges } from './changed-files.ts';
import { operationWords } from './operation-words.ts';
import { runCost } from './run-cost.ts';

/** The symbol before the first line: `✓`, `✗` or `‖`. */
type Mark = 'done' | 'failed' | 'parked';

export interface ClosingOptions {
  /** Of the run: `capstan.runs.diff`. Undefined: not known, for example because the run has no row. */
  readonly changes: RunChanges | undefined;
  /** Where the person types next: at the prompt of the conversation, or in a shell. */
  readonly at: 'conversation' | 'shell';
}

/** A run's document. `run_id` is null if the run could not start and has no row. */
export type ClosedRun = Omit<RunDocument, 'run_id'> & { readonly run_id: string | null };

/** The last lines of a run that has ended or parked, as parts that a surface joins: with ` · ` at a terminal. All text is escaped. */
export function closingLines(document: ClosedRun, options: ClosingOptions) {
  const mark = markOf(document);
  return {
    mark,
    /** `Done in 29 s`, `3 of 3`, `$0.26` */
    outcome: outcomeOf(document),
    /** `changed src/cart.js +1 -1`, `new CHANGELOG.md +4`; for a parked run its open question first. */
    changes: changesOf(document, options.changes),
    /** The next commands. Empty if a run in a shell is done and changed nothing. */
    next: nextOf(document, mark, options),
  };
}

const markOf = ({ status }: ClosedRun): Mark => {
  if (status === 'completed') return 'done';
  return status === 'parked' ? 'parked' : 'failed';
};

function outcomeOf(document: ClosedRun): readonly string[] {
  const { status, subtasks } = document;
  const time = formatSeconds(document.duration_ms);
  const { done, all, replaced } = stepCounts(subtasks);
  const again = replaced > 0 ? ` (${replaced} planned again)` : '';
  const steps = all > 0 ? [`${done} of ${all}${again}`] : [];
  const facts = [...steps, runCost(document) ?? ''].filter((fact) => fact !== '');
  if (status === 'completed') return [`Done in ${time}`, ...facts];
  if (status === 'parked') return [`Parked after ${time}`, ...facts, parkedWhy(document)];
  return [failedWhy(document), time, ...facts];
}

/** `a question waits`, `the model is unavailable` */
export function parkedWhy({ reason, approvals }: ClosedRun): string {
  const open = approvals.filter(({ status }) => status === 'pending');
  if (open.length > 1) return `${open.length} questions wait`;
  if (open[0]?.is_forced) return 'a question waits that only a person can answer';
  if (open[0]) return 'a question waits';
  return parkedReasons[reason ?? ''] ?? 'it can be resumed';
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

function changesOf({ approvals }: ClosedRun, changes: RunChanges | undefined): readonly string[] {
  const open = approvals.filter(({ status }) => status === 'pending');
  const [first] = open;
  const more = open.length > 1 ? [`${open.length - 1} more`] : [];
  const question = first ? [`${questionOf(first.question)} (${shortId(first.id)})`, ...more] : [];
  return [...question, ...(changes ? changedFiles(changes) : [])];
}

const questionOf = (text: string): string => printable(firstLine(text), 120);

function nextOf(
  document: ClosedRun,
  mark: Mark,
  { changes, at }: ClosingOptions,
): readonly string[] {
  const undo =
    changes !== undefined && changes.files.length > 0 ? undoWords(document, changes, at) : [];
  if (mark === 'parked')
    return at === 'conversation' ? waitingWords(document) : waitingCommands(document);
  if (at === 'conversation') return [...undo, ...wordsAtPrompt(document, undo.length > 0)];
  const suggested = document.next.flatMap(commandLinesOf);
  if (mark === 'done') return undo;
  if (correctedRun(document) !== undefined) return undo.slice(-1);
  const show = document.run_id === null ? [] : [`capstan runs show ${shortId(document.run_id)}`];
  return suggested.length > 0 ? suggested : [...show, ...undo.slice(-1)];
}

function undoWords({ run_id }: ClosedRun, changes: RunChanges, at: ClosingOptions['at']) {
  const id = shortId(run_id ?? '');
  if (at === 'shell')
    return [`capstan runs diff ${id}`, ...(isUndoable(changes) ? [`capstan runs undo ${id}`] : [])];
  const count = changes.files.filter(({ undoable }) => undoable).length;
  const all = changes.files.length;
  if (count === 0) return ['/diff shows it'];
  return [
    '/diff shows it',
    count === all ? '/undo takes it back' : `/undo takes back ${count} of ${all}`,
  ];
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

/** In the conversation, everything can be typed as it is. */
function wordsAtPrompt({ status, next }: ClosedRun, isLast: boolean): readonly string[] {
  const words = status === 'completed' ? 'type what is next' : 'type what to do instead';
  const others = next.filter(({ action }) => action !== 'answer');
  const commands =
    status === 'completed'
      ? []
      : others.flatMap((one) => slashWords[one.action] ?? commandLinesOf(one));
  return [...commands, isLast || commands.length > 0 ? `or ${words}` : words];
}

/** In the conversation: a parked run's questions are answered first. */
function waitingWords({ approvals, next }: ClosedRun): readonly string[] {
  const open = approvals.filter(({ status }) => status === 'pending').length;
  if (open > 0) return [`/approvals answers ${open === 1 ? 'it' : 'them'}`];
  return next.flatMap((one) => slashWords[one.action] ?? commandLinesOf(one));
}

/** One question is shown by its id; several are listed. */
function waitingCommands({ approvals, next }: ClosedRun): readonly string[] {
  const open = approvals.filter(({ status }) => status === 'pending');
  const [first] = open;
  const others = next.filter(({ action }) => action !== 'answer').flatMap(commandLinesOf);
  if (!first) return others;
  const show =
    open.length === 1 ? `capstan approvals show ${shortId(first.id)}` : 'capstan approvals list';
  return [show, ...others];
}
