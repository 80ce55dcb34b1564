import type { IntentRecord } from '../../contract/intent.ts';
import type { NextAction } from '../../contract/next.ts';
import { textOf } from '../../coordinator/final/synthesis.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import type { RunRecord } from '../../coordinator/store/run-store.ts';
import type { SubtaskRecord } from '../../coordinator/store/subtask-record.ts';
import { type RunDocument, runDocument } from '../runs/show/run-document.ts';
import { type QuestionDocument, questionDocument } from './question-document.ts';
import { type RunRow, runRow } from './run-rows.ts';

/** Everything about one run that fits into one answer. The keys are those of its JSON document. */
export interface RunPage {
  readonly run: RunRow & {
    readonly model: string | null;
    readonly isolation: string;
    readonly isolation_reason: string;
    readonly budget_usd: number | null;
    readonly forked_from: string | null;
  };
  readonly answer: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly steps: readonly StepDocument[];
  readonly requests: readonly RequestRow[];
  readonly messages: readonly { readonly at: string; readonly by: string; readonly text: string }[];
  readonly artifacts: RunDocument['artifacts'];
  readonly questions: readonly QuestionDocument[];
  readonly next: readonly NextAction[];
  readonly session: readonly { readonly id: string; readonly task: string }[];
}

export interface StepDocument {
  readonly id: string;
  readonly phase: string;
  readonly description: string;
  readonly depends_on: readonly string[];
  readonly capsule_id: string | null;
  readonly status: string;
  readonly reason: string | null;
  readonly attempts: number;
  /** What its capsule says that it did; null before it has ended. */
  readonly result: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly cost_usd: number;
}

/** One request without its content. */
export interface RequestRow {
  readonly intent_id: string;
  /** 1, 2, 3, … A fork can start there. */
  readonly number: number;
  readonly subtask_id: string;
  readonly capsule_id: string;
  readonly kind: 'tool' | 'chat' | 'http';
  readonly name: string;
  readonly target: string;
  readonly status: string;
  readonly tier: number;
  readonly decision: 'allow' | 'ask' | 'deny' | null;
  readonly rule: string | null;
  readonly reason: string | null;
  readonly approved_by: string | null;
  readonly cost_usd: number;
  readonly proposed_at: string;
  readonly asked_at: string | null;
  readonly answered_at: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly model: string | null;
  readonly input_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly output_tokens: number | null;
}

export function runPage(stores: Stores, run: RunRecord): RunPage {
  const document = runDocument(stores, run);
  const intents = stores.journal.intentsOf(run.id);
  const questions = stores.approvals.of(run.id);
  const chats = intents.filter(({ kind }) => kind === 'chat');
  const { runMicroUsd } =
    (run.policy as { budget?: { runMicroUsd?: number } } | null)?.budget ?? {};
  return {
    run: {
      ...runRow(stores, run),
      model: chats.at(-1)?.target ?? null,
      isolation: document.isolation,
      isolation_reason: document.isolation_reason,
      budget_usd: runMicroUsd === undefined ? null : runMicroUsd / 1e6,
      forked_from: run.forkedFrom,
    },
    answer: document.answer,
    error: document.error ?? null,
    steps: stores.subtasks
      .of(run.id)
      .filter(({ replacedFor }) => replacedFor === null)
      .map((subtask) => stepOf(subtask, intents)),
    requests: intents.map((intent, index) => ({
      ...requestRow(
        intent,
        questions.findLast(({ intentId }) => intentId === intent.id),
      ),
      number: index + 1,
    })),
    messages: stores.messages
      .of(run.id)
      .map(({ createdAt, by, text }) => ({ at: createdAt, by, text })),
    artifacts: document.artifacts,
    questions: questions
      .filter(({ status }) => status === 'pending')
      .map((one) => questionDocument(stores, one)),
    next: document.next,
    session: stores.sessions.runsOf(run.sessionId).map(({ id, task }) => ({ id, task })),
  };
}

function stepOf(subtask: SubtaskRecord, intents: readonly IntentRecord[]): StepDocument {
  const own = intents.filter(({ subtaskId }) => subtaskId === subtask.id);
  return {
    id: subtask.id,
    phase: subtask.phase,
    description: subtask.description,
    depends_on: subtask.dependsOn,
    capsule_id: subtask.capsuleId ?? subtask.plannedCapsule,
    status: subtask.status,
    reason: subtask.reason,
    attempts: subtask.attempts,
    result: subtask.result == null ? null : textOf(subtask.result),
    error: subtask.error,
    started_at: subtask.startedAt,
    ended_at: subtask.endedAt,
    cost_usd: own.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0) / 1e6,
  };
}

interface Asked {
  readonly createdAt: string;
  readonly answeredAt: string | null;
  readonly answeredBy: string | null;
  readonly why: string;
}

const isChat = ({ kind }: IntentRecord): boolean => kind === 'chat';

function requestRow(intent: IntentRecord, asked: Asked | undefined): Omit<RequestRow, 'number'> {
  const tokens = (count: number) => (isChat(intent) ? count : null);
  return {
    intent_id: intent.id,
    subtask_id: intent.subtaskId,
    capsule_id: intent.capsuleId,
    kind: intent.kind,
    name: intent.name,
    target: intent.target,
    status: intent.status,
    tier: intent.tier,
    decision: intent.status === 'denied' ? 'deny' : asked ? 'ask' : intent.step ? 'allow' : null,
    rule: intent.rule,
    reason: intent.denial ?? asked?.why ?? null,
    approved_by: asked?.answeredBy ?? null,
    cost_usd: intent.costMicroUsd / 1e6,
    proposed_at: intent.proposedAt,
    asked_at: asked?.createdAt ?? null,
    answered_at: asked?.answeredAt ?? null,
    started_at: intent.startedAt,
    ended_at: intent.endedAt,
    model: isChat(intent) ? intent.target : null,
    input_tokens: tokens(intent.inputTokens),
    cached_input_tokens: tokens(intent.cachedInputTokens),
    output_tokens: tokens(intent.outputTokens),
  };
}
