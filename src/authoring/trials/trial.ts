import type { Approval } from '../../contract/approval.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Failure } from '../../contract/status.ts';
import type { CoordinatorRequest } from '../../contract/wire/coordinator-messages.ts';
import { toolRequest } from '../../contract/wire/protocol.ts';
import type { AttemptOutcome } from '../../coordinator/attempt/note-use.ts';
import { textOf } from '../../coordinator/final/synthesis.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import type { ComposedPrompt } from '../../registry/overlay/system-prompt.ts';
import { isAnswer, keysOf, type RecordedAnswer } from './recorded-answers.ts';
import type { Asked, AskModel } from './trial-broker.ts';
import type { TrialInputs } from './trial-inputs.ts';

/** One task for one capsule, in a folder of its own, with the answers that are known. */
export interface Trial {
  readonly capsule: Capsule;
  readonly kind: TaskKind;
  readonly prompt: Pick<ComposedPrompt, 'systemPrompt' | 'skills'>;
  readonly task: string;
  /** Fields of the task kind's input schema. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** The request of an earlier attempt, to repeat it under another system prompt. */
  readonly from?: CoordinatorRequest | undefined;
  /** Default: no tool is performed, and only the record answers. */
  readonly inputs?: TrialInputs | undefined;
  readonly answers: readonly RecordedAnswer[];
  /** The request says that there is a model, whatever the mode of the task kind. */
  readonly hasModel?: boolean;
  /** Further folders that count as the workspace in requests. */
  readonly roots?: readonly string[] | undefined;
  readonly askModel?: AskModel | undefined;
  /** Receives the answers of the trial if it is cancelled. */
  readonly onCancelled?: ((answers: readonly RecordedAnswer[]) => void) | undefined;
  /** Files to return at the end, by path in the workspace. */
  readonly wanted?: readonly string[] | undefined;
}

/** One request of a trial. */
export interface TrialStep {
  /** `file_io.read`, `chat`. */
  readonly name: string;
  readonly target: string;
  readonly tool: string | null;
  readonly args: unknown;
  readonly ok: boolean;
  readonly from: 'workspace' | 'record' | 'reworded' | 'live' | 'unknown';
  /** The run whose recorded answer this is. */
  readonly run?: RecordedAnswer['run'];
}

/** How one trial of a capsule went. */
export interface TrialOutcome {
  /** `waiting`: it reached a question that only a person may answer. */
  readonly status: 'completed' | 'failed' | 'waiting';
  readonly error: Failure | null;
  readonly result: unknown;
  /** The text of the result, or of the failure. */
  readonly answer: string;
  readonly steps: readonly TrialStep[];
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly costMicroUsd: number;
  /** The questions that a person would have been asked. */
  readonly approvals: readonly string[];
  /** Model answers that were recorded under another prompt, or after other tool results. */
  readonly reworded: number;
  /** Requests without a recorded answer, which were not performed. */
  readonly unknown: number;
  readonly durationMs: number;
}

/** The outcome of a trial, with what judging and repeating it needs. */
export interface TrialResult extends TrialOutcome {
  readonly systemPrompt: string;
  /** All answers that it got, for replay. */
  readonly answers: readonly RecordedAnswer[];
  /** The wanted files; undefined if there is no such file. */
  readonly files: ReadonlyMap<string, Buffer | undefined>;
}

/** The rows and requests of a trial, from which its result is computed. */
export interface TrialTraces {
  readonly outcome: AttemptOutcome;
  readonly asked: readonly Asked[];
  /** Of the performed requests. */
  readonly intents: readonly IntentRecord[];
  readonly approvals: readonly Approval[];
  readonly roots: readonly string[];
}

/** Computes the outcome of a trial. */
export function reportOf({ outcome, asked, intents, approvals, roots }: TrialTraces) {
  const waiting = approvals.find(({ status }) => status === 'pending');
  const questions = new Map(approvals.map((one) => [one.intentId, one.question]));
  const left = [...intents];
  const known = asked.map((one) => {
    const intent = takeIntent(one, left);
    return { one, intent, question: questions.get(intent?.id ?? '') ?? null };
  });
  const answers = known.flatMap(({ one, intent, question }) =>
    answerOf(one, intent, question, roots),
  );
  const result = outcome.ok ? outcome.result : null;
  const message = `It would wait for a person: ${waiting?.question}`;
  const failure: Failure | null = outcome.ok ? null : outcome.failure;
  const error = failure && waiting ? { code: 'RUN_PARKED', message } : failure;
  return {
    status: outcome.ok ? 'completed' : waiting ? 'waiting' : 'failed',
    error,
    result,
    answer: error ? error.message : textOf(result),
    steps: known.map(({ one, intent }) => stepOf(one, intent)),
    modelCalls: asked.filter(({ intent }) => intent.type === 'api_call_intent').length,
    toolCalls: asked.filter(({ intent }) => intent.type === 'tool_call_intent').length,
    costMicroUsd: asked.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0),
    approvals: known.flatMap(({ one, question }) => question ?? one.found?.answer.question ?? []),
    reworded: asked.filter(({ from }) => from === 'reworded').length,
    unknown: asked.filter(({ from }) => from === 'unknown').length,
    answers,
  } satisfies Partial<TrialResult>;
}

/** The row of a performed request: the first one left with the same hash. */
function takeIntent({ intent, from }: Asked, left: IntentRecord[]): IntentRecord | undefined {
  if (intent.type !== 'tool_call_intent' || (from !== 'workspace' && from !== 'live')) return;
  const hash = canonicalHash(toolRequest(intent));
  const index = left.findIndex(({ requestHash }) => requestHash === hash);
  return index === -1 ? undefined : left.splice(index, 1)[0];
}

/** Requests without an answer are not recorded. */
function answerOf(
  one: Asked,
  intent: IntentRecord | undefined,
  question: string | null,
  roots: readonly string[],
): RecordedAnswer[] {
  if (one.found?.how === 'same') return [{ ...one.found.answer, reply: one.reply }];
  if (one.from === 'unknown') return [];
  const answer: RecordedAnswer = {
    ...keysOf(one.intent, roots),
    name: intent?.name ?? nameOf(one),
    tier: intent?.tier ?? 0,
    reply: one.reply,
    costMicroUsd: one.costMicroUsd,
    question: question ?? one.found?.answer.question ?? null,
    run: one.found?.answer.run,
  };
  return isAnswer(answer) ? [answer] : [];
}

function nameOf({ intent, found }: Asked): string {
  if (found) return found.answer.name;
  return intent.type === 'tool_call_intent' ? intent.tool : intent.request.kind;
}

function stepOf(one: Asked, intent: IntentRecord | undefined): TrialStep {
  const { reply, from, intent: asked } = one;
  const isTool = asked.type === 'tool_call_intent';
  const { ok, approved, error } = reply as { ok?: boolean; approved?: boolean; error?: unknown };
  return {
    name: intent?.name ?? nameOf(one),
    target: intent?.target ?? (isTool ? targetOf(asked.args) : ''),
    tool: isTool ? asked.tool : null,
    args: isTool ? asked.args : null,
    ok: isTool ? ok === true : approved === true && error === undefined,
    from,
    run: one.found?.answer.run,
  };
}

/** The target of a call that was not performed: its first argument that names one. */
function targetOf(args: Readonly<Record<string, unknown>>): string {
  const { path, url, database, argv, command } = args;
  const named = path ?? url ?? database ?? command ?? (Array.isArray(argv) ? argv.join(' ') : '');
  return typeof named === 'string' ? named : '';
}
