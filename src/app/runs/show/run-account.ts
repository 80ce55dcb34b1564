import { relative } from 'node:path';
import { createChangeRows } from '../../../broker/changes/change-rows.ts';
import type { FileChange } from '../../../broker/changes/file-change.ts';
import { fileEffectsOf } from '../../../broker/intent/record.ts';
import type { Approval } from '../../../contract/approval.ts';
import type { IntentRecord, IntentStatus } from '../../../contract/intent.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import type {
  AttemptRecord,
  SubtaskRecord,
} from '../../../coordinator/store/subtasks/subtask-record.ts';

/** The account of a run: its actions, capsules and approvals. The keys are those of its JSON document. */
export interface RunAccount {
  readonly effects: readonly EffectDocument[];
  /** Commands that could change nothing. */
  readonly read_only: readonly EffectDocument[];
  readonly composition: readonly PartDocument[];
  /** In the order in which they were asked. */
  readonly approvals: readonly Approval[];
}

/** One operation that may have changed something, or a command. */
export interface EffectDocument {
  readonly intent_id: string;
  /** 1, 2, 3, … among all requests of the run. A fork can start there. */
  readonly number: number;
  readonly subtask_id: string;
  readonly capsule_id: string;
  readonly what: string;
  readonly tier: number;
  /** `unknown`: a crash interrupted it, and whether it happened is not decided yet. */
  readonly status: IntentStatus;
  readonly at: string | null;
  readonly approval_id: string | null;
  readonly approved_by: string | null;
  /** The whole text of a program, a shell command or an SQL statement, up to 65,536 characters; null if it has none. */
  readonly program: string | null;
  /** The first and last lines that a command printed; null for anything else. */
  readonly output: string | null;
  /** Files that a program changed without naming them first have no diff. */
  readonly files: readonly {
    readonly path: string;
    readonly before: string;
    readonly after: string | null;
    readonly diff: string | null;
    readonly by: 'tool' | 'program';
  }[];
}

/** One capsule in one subtask. */
export interface PartDocument {
  readonly subtask_id: string;
  readonly capsule_id: string;
  readonly capsule_hash: string;
  /** How its last attempt ended. */
  readonly outcome: string;
  readonly attempts: readonly {
    readonly number: number;
    readonly status: string;
    readonly reason: string | null;
    readonly error: { readonly code: string; readonly message: string } | null;
    readonly intents: number;
    readonly duration_ms: number;
    readonly cost_usd: number;
  }[];
  readonly duration_ms: number;
  readonly cost_usd: number;
}

type Rows = Pick<Stores, 'journal' | 'subtasks' | 'approvals' | 'db'>;

/** Builds the account of a run from its rows. */
export function runAccount({ journal, subtasks, approvals, db }: Rows, run: RunRecord): RunAccount {
  const intents = journal.pickWithoutOutcomes(run.id, ({ request, ...rest }) => ({
    ...rest,
    program: programOf(request),
  }));
  const changed = createChangeRows(db).of(run.id);
  const questions = approvals.of(run.id);
  const documentsOf = (isIncluded: (intent: AccountIntent) => boolean) =>
    intents.flatMap((intent, index): EffectDocument[] => {
      if (!isIncluded(intent) || !began.has(intent.status)) return [];
      const output = isCommand(intent) ? outputOf(journal.textsOf(intent.id)?.outcome) : null;
      const effect = effectOf(intent, { questions, changed, run });
      return [{ number: index + 1, ...effect, output }];
    });
  return {
    effects: documentsOf(mayHaveChanged),
    read_only: documentsOf((intent) => intent.tier === 0 && isCommand(intent)),
    composition: subtasks
      .of(run.id)
      .flatMap((subtask) => partsOf(subtask, subtasks.attemptsOf(run.id, subtask.id), intents)),
    approvals: questions,
  };
}

/** An intent without its request, which may be large. */
type AccountIntent = Omit<IntentRecord, 'request'> & { readonly program: string | null };

/** Model calls change nothing but the budget. */
const mayHaveChanged = ({ tier, kind }: AccountIntent): boolean => tier >= 1 && kind !== 'chat';

const isCommand = ({ name }: AccountIntent): boolean => /^(terminal|python_exec)\./.test(name);

const began: ReadonlySet<IntentStatus> = new Set(['done', 'failed', 'started', 'unknown']);

/** Limits of the shown output: lines at its beginning and at its end, and characters of a line. */
const OUTPUT_LINES = 20;
const OUTPUT_LINE_CHARS = 500;

/** The exit code and the output of a command, from its outcome; the error of one without a result. */
function outputOf(outcome: unknown): string | null {
  const { result, error } = (outcome ?? {}) as {
    readonly result?: Readonly<Record<string, unknown>>;
    readonly error?: { readonly message?: string };
  };
  if (result === undefined) return error?.message ?? null;
  const printed = [result['stdout'], result['stderr']]
    .flatMap((text) => (typeof text === 'string' && text !== '' ? text.trimEnd().split('\n') : []))
    .map((line) => line.slice(0, OUTPUT_LINE_CHARS));
  const left = printed.length - 2 * OUTPUT_LINES;
  if (left > 0) printed.splice(OUTPUT_LINES, left, `[${left} lines left out]`);
  const code = result['exit_code'];
  const end = result['signal'] ? `ended by ${result['signal']}` : `exit code ${code}`;
  // A command whose outcome only a person knows has neither.
  if (!result['signal'] && code === undefined) return printed.join('\n') || null;
  return [end, ...printed].join('\n');
}

interface Around {
  readonly questions: readonly Approval[];
  readonly changed: readonly FileChange[];
  readonly run: Pick<RunRecord, 'workspace'>;
}

function effectOf(intent: AccountIntent, { questions, changed, run }: Around) {
  // A call that failed without changing anything has no start.
  const isUndone = intent.status === 'failed' && intent.startedAt === null;
  const files = isUndone ? [] : fileEffectsOf(intent);
  const question = questions.findLast(
    ({ intentId, answer }) =>
      intentId === intent.id && (answer === 'approve' || answer === 'do_it'),
  );
  return {
    ...aboutIntent(intent),
    tier: intent.tier,
    approval_id: question?.id ?? null,
    approved_by: question?.answeredBy ?? null,
    program: intent.program,
    files: [
      ...files.map((file) => ({ ...file, by: 'tool' as const })),
      ...changed
        .filter(
          ({ intentId, path }) => intentId === intent.id && !files.some((one) => one.path === path),
        )
        .map((file) => ({ ...file, diff: null, by: 'program' as const })),
    ].map(({ path, before, after, diff, by }) => {
      return { path: relative(run.workspace, path), before, after, diff, by };
    }),
  };
}

/** Which operation an intent is, and how it went. */
export const aboutIntent = (intent: Omit<IntentRecord, 'request'>) => ({
  intent_id: intent.id,
  subtask_id: intent.subtaskId,
  capsule_id: intent.capsuleId,
  what: `${intent.name} ${intent.target}`.trim(),
  status: intent.status,
  at: intent.endedAt ?? intent.startedAt,
});

const MAX_PROGRAM_CHARS = 65_536;

/** The arguments of `python_exec`, `terminal` and `sql_query` that are a text to run. */
function programOf(request: unknown): string | null {
  const { args } = (request ?? {}) as { readonly args?: Readonly<Record<string, unknown>> };
  const text = args?.['code'] ?? args?.['command'] ?? args?.['sql'];
  if (typeof text !== 'string') return null;
  if (text.length <= MAX_PROGRAM_CHARS) return text;
  return `${text.slice(0, MAX_PROGRAM_CHARS)}\n[cut: ${text.length} characters]`;
}

function partsOf(
  subtask: SubtaskRecord,
  attempts: readonly AttemptRecord[],
  intents: readonly AccountIntent[],
): PartDocument[] {
  const documented = attempts.map((attempt, index) => {
    const own = intents.filter(({ attemptId }) => attemptId === attempt.id);
    const next = attempts[index + 1];
    const overMs = next ? timeOf(next.id) : Date.parse(subtask.endedAt ?? '');
    return { attempt, document: attemptOf(attempt, own, overMs) };
  });
  const capsules = [...new Set(attempts.map(({ capsuleId }) => capsuleId))];
  return capsules.map((capsuleId) => {
    const mine = documented.filter(({ attempt }) => attempt.capsuleId === capsuleId);
    const documents = mine.map(({ document }) => document);
    return {
      subtask_id: subtask.id,
      capsule_id: capsuleId,
      capsule_hash: mine.at(-1)?.attempt.capsuleHash ?? '',
      outcome: documents.at(-1)?.status ?? 'pending',
      attempts: documents,
      duration_ms: sum(documents.map(({ duration_ms }) => duration_ms)),
      cost_usd: sum(documents.map(({ cost_usd }) => cost_usd)),
    };
  });
}

/** @param overMs When the next attempt started or the subtask ended; NaN if neither has happened. */
function attemptOf(
  { id, number, status, reason, error, metrics }: AttemptRecord,
  own: readonly AccountIntent[],
  overMs: number,
) {
  const costMicroUsd = sum(own.map((intent) => intent.costMicroUsd));
  const lastMs = Math.max(timeOf(id), ...own.map(({ proposedAt }) => Date.parse(proposedAt)));
  // Between an interrupted attempt and the next one, nothing ran.
  const endMs = status === 'interrupted' || Number.isNaN(overMs) ? lastMs : overMs;
  return {
    number,
    status,
    reason,
    error,
    intents: own.length,
    duration_ms: metrics['duration_ms'] ?? Math.max(0, endMs - timeOf(id)),
    cost_usd: costMicroUsd / 1e6,
  };
}

/** When an id was made: a UUID of version 7 begins with the milliseconds (RFC 9562). */
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
