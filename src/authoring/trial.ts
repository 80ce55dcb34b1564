import type { Approval } from '../contract/approval.ts';
import type { IntentRecord } from '../contract/intent.ts';
import type { CoordinatorRequest } from '../contract/protocol.ts';
import type { Failure } from '../contract/status.ts';
import type { AttemptOutcome } from '../coordinator/attempt-outcome.ts';
import { canonicalHash } from '../platform/canonical-hash.ts';
import type { Capsule } from '../registry/capsule-store.ts';
import type { TaskKind } from '../registry/manifest/manifest.ts';
import type { Inputs } from './lay-inputs.ts';
import { isAnswer, keysOf, type ToldAnswer } from './told-before.ts';
import type { Asked, AskModel } from './trial-broker.ts';

/** One task for one capsule, in a folder of its own, with the answers that are known. */
export interface Trial {
  readonly capsule: Capsule;
  readonly kind: TaskKind;
  readonly systemPrompt: string;
  readonly task: string;
  /** Fields of the task kind's input schema. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Text that the capsule is shown as the workspace's `AGENTS.md`. */
  readonly notes?: string | undefined;
  /** The line that an attempt once started from, to start from it again under another system prompt. */
  readonly from?: CoordinatorRequest | undefined;
  /** Left out: no tool is carried out, and the record alone answers. */
  readonly inputs?: Inputs | undefined;
  readonly answers: readonly ToldAnswer[];
  /** The capsule is told that a model answers, whatever the mode of its task kind. */
  readonly hasModel?: boolean;
  /** Folders beside the trial's own that stand for the workspace in what is asked. */
  readonly roots?: readonly string[] | undefined;
  readonly askModel?: AskModel | undefined;
  /** Files to be handed over when it has ended, by path in the workspace. */
  readonly wanted?: readonly string[] | undefined;
}

export interface TrialStep {
  /** `file_io.read`, `chat`. */
  readonly name: string;
  readonly target: string;
  readonly tool: string | null;
  readonly args: unknown;
  readonly ok: boolean;
  readonly from: Asked['from'];
}

/** What came of a trial. */
export interface TrialResult {
  /** `waiting`: it came to a question that only a person answers. */
  readonly status: 'completed' | 'failed' | 'waiting';
  readonly error: Failure | null;
  readonly result: unknown;
  /** The text of the result, or of the failure. */
  readonly answer: string;
  readonly steps: readonly TrialStep[];
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly costMicroUsd: number;
  /** What a person would have been asked. */
  readonly approvals: readonly string[];
  /** Model answers that were given under another prompt, or after other tool results. */
  readonly reworded: number;
  /** Requests that nothing was recorded of and that were not carried out. */
  readonly unknown: number;
  readonly systemPrompt: string;
  /** All that it was told, to be told again. */
  readonly answers: readonly ToldAnswer[];
  /** The wanted files: undefined where there is none of that name. */
  readonly files: ReadonlyMap<string, Buffer | undefined>;
  readonly durationMs: number;
}

/** What a trial left behind, from which its result is told. */
export interface TrialTraces {
  readonly outcome: AttemptOutcome;
  readonly asked: readonly Asked[];
  /** Of what was carried out. */
  readonly intents: readonly IntentRecord[];
  readonly approvals: readonly Approval[];
  readonly roots: readonly string[];
}

export type TrialReport = Omit<TrialResult, 'files' | 'durationMs' | 'systemPrompt'>;

/** Puts together what came of a trial. */
export function reportOf({ outcome, asked, intents, approvals, roots }: TrialTraces): TrialReport {
  const waiting = approvals.find(({ status }) => status === 'pending');
  const questions = new Map(approvals.map((one) => [one.intentId, one.question]));
  const left = [...intents];
  const known = asked.map((one) => {
    const intent = takeIntent(one, left);
    return { one, intent, question: intent ? (questions.get(intent.id) ?? null) : null };
  });
  const answers = known.flatMap(({ one, intent, question }) =>
    answerOf(one, { intent, question, roots }),
  );
  const result = outcome.ok ? outcome.result : null;
  const error = outcome.ok ? null : waiting ? questionAsError(waiting) : outcome.failure;
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
  };
}

const questionAsError = ({ question }: Approval): Failure => ({
  code: 'RUN_PARKED',
  message: `It would wait for a person here: ${question}`,
});

/** The text of `text`, `{text, data}`, or the JSON of anything else. */
export function textOf(result: unknown): string {
  if (typeof result === 'string') return result;
  const { text } = (result ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : JSON.stringify(result ?? null);
}

/** The row of what was carried out: the first of the same request that is left. */
function takeIntent({ intent, from }: Asked, left: IntentRecord[]): IntentRecord | undefined {
  if (intent.type !== 'tool_call_intent' || (from !== 'workspace' && from !== 'live')) return;
  const hash = canonicalHash({ tool: intent.tool, args: intent.args });
  const index = left.findIndex(({ requestHash }) => requestHash === hash);
  return index === -1 ? undefined : left.splice(index, 1)[0];
}

interface Around {
  readonly intent: IntentRecord | undefined;
  readonly question: string | null;
  readonly roots: readonly string[];
}

/** What was not answered is no answer to be told again. */
function answerOf(one: Asked, { intent, question, roots }: Around): ToldAnswer[] {
  if (one.found?.how === 'same') return [{ ...one.found.answer, reply: one.told }];
  if (one.from === 'unknown') return [];
  const answer: ToldAnswer = {
    ...keysOf(one.intent, roots),
    name: intent?.name ?? nameOf(one),
    tier: intent?.tier ?? 0,
    reply: one.told,
    costMicroUsd: one.costMicroUsd,
    question: question ?? one.found?.answer.question ?? null,
  };
  return isAnswer(answer) ? [answer] : [];
}

function nameOf({ intent, found }: Asked): string {
  if (found) return found.answer.name;
  return intent.type === 'tool_call_intent' ? intent.tool : intent.request.kind;
}

function stepOf(one: Asked, intent: IntentRecord | undefined): TrialStep {
  const { told, from, intent: asked } = one;
  const isTool = asked.type === 'tool_call_intent';
  const { ok, approved, error } = told as { ok?: boolean; approved?: boolean; error?: unknown };
  return {
    name: intent?.name ?? nameOf(one),
    target: intent?.target ?? (isTool ? targetOf(asked.args) : ''),
    tool: isTool ? asked.tool : null,
    args: isTool ? asked.args : null,
    ok: isTool ? ok === true : approved === true && error === undefined,
    from,
  };
}

/** What a call is about, where it was not looked at: the first argument that says so. */
function targetOf(args: Readonly<Record<string, unknown>>): string {
  const { path, url, database, argv, command } = args;
  const named = path ?? url ?? database ?? command ?? (Array.isArray(argv) ? argv.join(' ') : '');
  return typeof named === 'string' ? named : '';
}
