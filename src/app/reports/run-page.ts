import type { ChatOutcome } from '../../broker/calls/chat/chat-call.ts';
import { raisesIn } from '../../broker/money/budget.ts';
import type { Approval } from '../../contract/approval.ts';
import { withDocumentKeys } from '../../contract/documents/document-keys.ts';
import type { RequestRow, RunPage, Step } from '../../contract/documents/run-documents.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import { textOf } from '../../coordinator/final/synthesis.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import type { SubtaskRecord } from '../../coordinator/store/subtasks/subtask-record.ts';
import { mayResume } from '../runs/show/next-of-failed.ts';
import { runDocument } from '../runs/show/run-document.ts';
import { questionDocument } from './question-document.ts';
import { runRow } from './run-rows.ts';

/** Everything about one run that fits into one answer. */
export function runPage(stores: Stores, run: RunRecord): RunPage {
  const {
    answer,
    error = null,
    artifacts,
    artifacts_left_out,
    next,
    ...document
  } = runDocument(stores, run);
  const intents = stores.journal.intentsOf(run.id);
  const subtasks = stores.subtasks.of(run.id).filter(({ replacedFor }) => replacedFor === null);
  const questions = stores.approvals.of(run.id);
  const chats = intents.filter(({ kind }) => kind === 'chat');
  const { budget } = (run.policy ?? {}) as { readonly budget?: { readonly runMicroUsd?: number } };
  const limit = budget?.runMicroUsd;
  const raised = raisesIn(stores.db).get({ scope: 'run', subject: run.id }) ?? 0;
  return {
    run: {
      ...runRow(stores, run),
      model: chats.at(-1)?.target ?? null,
      isolation: document.isolation,
      isolation_reason: document.isolation_reason,
      budget_usd: limit === undefined ? null : (limit + raised) / 1e6,
      forked_from: run.forkedFrom,
      named_capsule: run.request.namedCapsule,
      can_resume: mayResume(run, subtasks),
    },
    ...{ answer, error, artifacts, next },
    ...(artifacts_left_out && { artifacts_left_out }),
    steps: subtasks.map((subtask) => stepOf(subtask, intents)),
    requests: intents.map((intent, index) => {
      const asked = questions.findLast(({ intentId }) => intentId === intent.id);
      return { ...requestRow(intent, asked), number: index + 1 };
    }),
    messages: stores.messages
      .of(run.id)
      .map(({ createdAt, by, text }) => ({ at: createdAt, by, text })),
    questions: questions
      .filter(({ status, kind }) => status === 'pending' || kind === 'question')
      .map((one) => questionDocument(stores, one)),
    session: stores.sessions.runsOf(run.sessionId).map(({ id, task }) => ({ id, task })),
  };
}

function stepOf(subtask: SubtaskRecord, intents: readonly IntentRecord[]): Step {
  const own = intents.filter(({ subtaskId }) => subtaskId === subtask.id);
  return {
    ...withDocumentKeys(subtask),
    capsule_id: subtask.capsuleId ?? subtask.plannedCapsule,
    result: subtask.result == null ? null : textOf(subtask.result),
    cost_usd: own.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0) / 1e6,
    score: null,
  };
}

/** Who answered, and who allowed. Other answers, as "It happened", allow nothing. */
function whoOf(asked: Approval | undefined) {
  const by = asked?.answeredBy ?? null;
  const isAllowed = asked?.answer === 'approve' || asked?.answer === 'do_it';
  return { answered_by: by, approved_by: isAllowed ? by : null };
}

function requestRow(intent: IntentRecord, asked: Approval | undefined): Omit<RequestRow, 'number'> {
  const isChat = intent.kind === 'chat';
  return {
    ...withDocumentKeys(intent),
    intent_id: intent.id,
    decision: intent.status === 'denied' ? 'deny' : asked ? 'ask' : intent.step ? 'allow' : null,
    reason: intent.denial ?? asked?.why ?? null,
    ...whoOf(asked),
    asked_at: asked?.createdAt ?? null,
    answered_at: asked?.answeredAt ?? null,
    model: isChat ? intent.target : null,
    ...estimateIn(intent),
    ...(!isChat && { input_tokens: null, cached_input_tokens: null, output_tokens: null }),
  };
}

/** The estimated part of a call's cost. The tokens are without those of tries that had no answer. */
function estimateIn({ kind, outcome, outputTokens }: IntentRecord) {
  const { estimated } = (kind === 'chat' ? (outcome ?? {}) : {}) as Partial<ChatOutcome>;
  const { micro_usd = 0, tokens = 0 } = estimated ?? {};
  const isOfTry = tokens > 0 && micro_usd > 0;
  return {
    output_tokens: outputTokens - tokens,
    estimated_cost_usd: micro_usd / 1e6,
    cost_note: isOfTry ? 'interrupted: the most it could have cost is counted' : null,
  };
}
