import type {
  Approval,
  ApprovalAnswer,
  ApprovalKind,
  NewApproval,
} from '../../contract/approval.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Operation, TouchedPath } from '../../contract/permissions/operation.ts';
import type { PlanPreview } from '../../contract/plan-preview.ts';
import type { EventBus } from '../../events/bus.ts';
import { CONTINUE, type HookVerdict } from '../../hooks/hook.ts';
import type { Hooks } from '../../hooks/hooks.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import type { Audit } from '../audit/audit.ts';
import type { Journal } from '../intent/journal.ts';
import { type FileEffect, hiddenScripts, type Script, withRenames } from '../intent/record.ts';
import type { AttemptScope, RunScope } from '../intent/scope.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import type { ApprovalStore, ListedApproval } from './approval-store.ts';
import type { RememberedAnswers } from './remembered-answers.ts';

/** The dependencies of questions. */
export interface QuestionParts {
  readonly journal: Journal;
  readonly audit: Audit;
  readonly approvals: ApprovalStore;
  readonly desk: ApprovalDesk;
  readonly remembered: RememberedAnswers;
  readonly events: EventBus;
  readonly hooks: Hooks;
  /** Whether someone can answer questions of this run now. Called each time. */
  canAnswer(run: Pick<RunScope, 'id' | 'workspace'>): boolean;
  /** Deadline of a question, in milliseconds. Undefined: none. */
  readonly approvalDeadlineMs: number | undefined;
  readonly now: () => Date;
}

/** The scope that asks, and its dependencies. */
export interface QuestionContext {
  readonly scope: AttemptScope;
  readonly parts: QuestionParts;
}

/** The text of a question. */
export interface QuestionText {
  readonly question: string;
  readonly sentence: string;
  /** Only a person may answer it. */
  readonly forced: boolean;
}

/** The subject of a question, in addition to the intent. */
export interface QuestionSubject {
  readonly kind: ApprovalKind;
  /** Everything that will be done, in full. */
  readonly details: string;
  /** The maximum cost; null if unknown. Default: 0. */
  readonly costMicroUsd?: number | null;
  /** Remembered answers are matched with it; omitted if none can apply. */
  readonly operation?: Operation;
  /** The provider or service whose remembered consent to spend applies. */
  readonly payee?: string | undefined;
  /** Whether to continue the question of an earlier process about this intent. Default: if the intent is `waiting`. */
  readonly isAdopted?: boolean;
  /** Refused if nobody can answer now, instead of waiting. Default: false. */
  readonly isOptional?: boolean | undefined;
  /** Default: approve and deny. */
  readonly choices?: readonly ApprovalAnswer[];
  /** Whether other words are an answer, too. Default: false. */
  readonly freeText?: boolean;
  readonly plan?: PlanPreview;
}

/** A question as a row that is not written yet. */
export function draftQuestion(
  text: QuestionText,
  subject: QuestionSubject,
  intent: IntentRecord,
  { scope, parts }: QuestionContext,
): Approval {
  const { workspace, policy } = scope.run;
  const { approvalDeadlineMs: ms, approvals } = parts;
  return approvals.draft({
    ...questionRow(text, subject, intent, {
      workspace,
      capsuleHash: scope.capsuleHash,
      policyVersion: policy.version,
    }),
    expiresAt: subject.kind === 'unknown' || ms === undefined ? null : approvals.deadlineIn(ms),
  });
}

/** The values that an answer is bound to, besides the request and its run: if one of them differs, it is another question. */
export type Bound = Pick<Approval, 'workspace' | 'capsuleHash' | 'policyVersion'>;

/** The row of a question without a deadline. */
export const questionRow = (
  { question, sentence, forced }: QuestionText,
  { kind, details, costMicroUsd = 0, choices = YES_OR_NO, freeText = false, plan }: QuestionSubject,
  intent: IntentRecord,
  bound: Bound,
): NewApproval => ({
  ...bound,
  binding: bindingOf(intent, bound),
  requestHash: intent.requestHash,
  runId: intent.runId,
  intentId: intent.id,
  subtaskId: intent.subtaskId,
  capsuleId: intent.capsuleId,
  kind,
  question,
  why: sentence,
  details,
  capsuleReason: intent.reason,
  operation: intent.name,
  target: intent.target,
  tier: intent.tier,
  costMicroUsd,
  isForced: forced,
  choices,
  freeText,
  plan: plan ?? null,
  expiresAt: null,
});

const YES_OR_NO: readonly ApprovalAnswer[] = ['approve', 'deny'];

/** SHA-256, in hexadecimal, of the subject of a question. */
const bindingOf = ({ requestHash, runId }: IntentRecord, bound: Bound): string =>
  canonicalHash({ requestHash, runId, ...bound });

/** The question about an intent whose process died. */
export const unknownOutcome = ({
  name,
  target,
  request,
}: IntentRecord): [QuestionText, QuestionSubject] => [
  {
    question: `Did this happen: ${name} ${target}?`,
    sentence: 'It had started, and was interrupted before it ended.',
    forced: true,
  },
  {
    kind: 'unknown',
    details: JSON.stringify(request, undefined, 2),
    choices: ['it_happened', 'do_it', 'abandon'],
  },
];

/** The earlier question about the same intent and request, if it is pending, answered or past its deadline. */
export function earlierQuestion(
  { intentId, binding, runId, kind }: Approval,
  { parts }: QuestionContext,
): Approval | undefined {
  return parts.approvals
    .of(runId)
    .findLast(
      (one) =>
        one.intentId === intentId &&
        (one.kind === kind || (one.kind === 'changed_file' && kind === 'tool')) &&
        one.binding === binding &&
        (one.status === 'pending' || one.status === 'answered' || isTimedOut(one)),
    );
}

/** The last question about an intent of an earlier process, if it is answered, past its deadline, or only for a person. */
export const questionBefore = (
  { id, runId }: Pick<IntentRecord, 'id' | 'runId'>,
  { parts }: QuestionContext,
): Approval | undefined =>
  parts.approvals
    .of(runId)
    .findLast(
      (one) =>
        one.intentId === id &&
        (one.kind === 'tool' || one.kind === 'changed_file') &&
        (one.status === 'answered' ||
          isTimedOut(one) ||
          (one.status === 'pending' && one.isForced)),
    );

/** `answeredBy` of an answer by the approve mode. */
export const APPROVE_MODE = 'approve_mode';

/** Questions about operations of the run that a person denied, oldest first. */
export const deniedQuestions = ({ scope, parts }: QuestionContext): readonly ListedApproval[] =>
  parts.approvals
    .listOf(scope.run.id)
    .filter(({ kind }) => kind === 'tool' || kind === 'changed_file')
    .filter(({ answer, answeredBy }) => answer === 'deny' && answeredBy !== APPROVE_MODE);

/** A withdrawn question is `expired`, too, before its deadline. */
const isTimedOut = ({ status, expiresAt, answeredAt }: Approval): boolean =>
  status === 'expired' && expiresAt !== null && answeredAt !== null && answeredAt >= expiresAt;

/** Runs the hooks before an approval: they may deny it or require a person, but never approve. */
export async function beforeApproval(
  question: Approval,
  { scope, parts: { hooks } }: QuestionContext,
): Promise<HookVerdict> {
  if (!hooks.has('pre_approval')) return CONTINUE;
  return hooks.run('pre_approval', payloadOf(question), { signal: scope.signal });
}

/** Runs the hooks after an approval, with its answer. */
export async function afterApproval(
  question: Approval,
  { scope, parts: { hooks, events } }: QuestionContext,
): Promise<void> {
  if (!hooks.has('post_approval')) return;
  const { answer, answeredBy: by, status } = question;
  const reply = { answer, by, status };
  const payload = { ...payloadOf(question), ...reply };
  const { injected } = await hooks.run('post_approval', payload, { signal: scope.signal });
  for (const { by: hook, text } of injected) {
    const said = `The hook "${hook}" says: ${text}`;
    events.emit({ type: 'run.noticed', run_id: question.runId, text: said });
  }
}

const payloadOf = (question: Approval) => ({
  run_id: question.runId,
  subtask_id: question.subtaskId,
  capsule_id: question.capsuleId,
  approval_id: question.id,
  kind: question.kind,
  tool: toolNameOf(question),
  operation: question.operation,
  target: question.target,
  tier: question.tier,
  question: question.question,
  why: question.why,
  details: question.details,
});

/** The same name as in `pre_tool_call` and `pre_model_call`, so that filters of hooks mean the same. */
const toolNameOf = ({ operation }: Approval): string =>
  operation.includes('.') ? (operation.split('.')[0] ?? '') : 'chat';

/**
 * The complete effect of an operation, line by line, for the person who decides, with the scripts that a command runs.
 * Paths and folders are quoted as in JSON, so that a line break in a name can't forge a line. A request to the network is
 * shown with its headers and its body.
 */
export function describeOperation(
  operation: Operation,
  { request, tier }: Pick<IntentRecord, 'request' | 'tier'>,
  effects: readonly FileEffect[],
  scripts: readonly Script[] = [],
): string {
  const { command, content, inserted, network, paths, url } = operation;
  const lines = [`${operation.name} (tier ${tier})`];
  for (const touched of paths) lines.push(`${verbOf(touched)} ${quoted(touched.path)}`);
  if (url) lines.push(`calls ${url.href}`);
  if (network)
    lines.push(
      `may send everything that it reads to ${network.map(({ host }) => host).join(', ')}, and download anything from there`,
    );
  if (command?.kind === 'argv')
    lines.push(`runs ${quoted(command.argv)} in ${quoted(command.cwd)}`);
  if (command?.kind === 'shell')
    lines.push(`runs in a shell, in ${quoted(command.cwd)}:`, command.text);
  if (command?.kind === 'python')
    lines.push(`runs Python, in ${quoted(command.cwd)}:`, command.code);
  lines.push(...scriptLines(scripts), ...effects.flatMap(unhashed));
  const diffs = withRenames(effects).flatMap(({ from, diff }) =>
    from === undefined ? (diff ?? []) : 'the content stays the same',
  );
  lines.push(...effects.flatMap(({ changes = [] }) => changes));
  if (diffs.length > 0) lines.push(...diffs);
  else if (content !== undefined) lines.push('new content:', content);
  else if (inserted !== undefined)
    lines.push(operation.tool === 'sql_query' ? 'by:' : 'puts in:', inserted);
  else if (!command) lines.push(JSON.stringify(request, undefined, 2));
  return lines.join('\n');
}

/** Indented, so that no line of a script can imitate another part of the request. */
function scriptLines(scripts: readonly Script[]): readonly string[] {
  const hidden = hiddenScripts(scripts, quoted);
  const shown = scripts.flatMap(({ name, text }) => {
    if (text === undefined) return [];
    const lines = text.replace(/\n$/, '').split('\n');
    return [`${quoted(name)} contains:`, ...lines.map((line) => `  ${line}`)];
  });
  return hidden === undefined ? shown : [...shown, `runs ${hidden}`];
}

function unhashed({ path, before }: FileEffect): readonly string[] {
  const bytes = /^stat:(\d+)/.exec(before)?.[1];
  if (bytes === undefined) return [];
  return [`${quoted(path)} has ${bytes} bytes: its size and time are compared, not its content`];
}

function verbOf({ access, becomes }: TouchedPath): string {
  if (access === 'read') return 'reads';
  return becomes?.kind === 'removed' ? 'removes' : 'writes';
}

const quoted = (value: unknown): string => JSON.stringify(value);
