import type { Approval } from '../contract/approval.ts';
import { answerCommand } from './next-command.ts';

/** A question as `--json` prints it, with every field as it is stored. */
export const approvalDocument = (approval: Approval) => ({
  id: approval.id,
  kind: approval.kind,
  status: approval.status,
  question: approval.question,
  why: approval.why,
  details: approval.details,
  capsule_reason: approval.capsuleReason,
  operation: approval.operation,
  target: approval.target,
  tier: approval.tier,
  cost_usd: approval.costMicroUsd === null ? null : approval.costMicroUsd / 1e6,
  run_id: approval.runId,
  subtask_id: approval.subtaskId,
  capsule_id: approval.capsuleId,
  intent_id: approval.intentId,
  workspace: approval.workspace,
  binding: approval.binding,
  is_forced: approval.isForced,
  choices: approval.choices,
  answer: approval.answer,
  answered_by: approval.answeredBy,
  note: approval.note,
  asked_at: approval.createdAt,
  expires_at: approval.expiresAt,
  answered_at: approval.answeredAt,
});

/** The command lines that answer a question, one for each choice. */
export const answerCommands = ({ id, choices }: Pick<Approval, 'id' | 'choices'>): string[] =>
  choices.map((choice) => answerCommand(id, choice));
