import { dirname } from 'node:path';
import * as z from 'zod';
import type { AgreedFile } from '../../broker/agreed/agreed-files.ts';
import { changedCapsule } from '../../broker/questions/agree.ts';
import type { Places } from '../../config/settings.ts';
import type { Approval, ApprovalAnswer } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { type AnswerAction, answerAction } from '../../contract/next.ts';
import { approvalStatus } from '../../contract/text/approval-status.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { shortTime } from '../../contract/text/short-time.ts';
import { usage } from '../../contract/usage.ts';
import { agreedFilesOf, agreedHashOf } from '../../coordinator/agreed-capsule.ts';
import type { EditedStep } from '../../coordinator/plan/plan.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { tryOr } from '../../platform/try-or.ts';
import { canHavePattern, matchesAnswer } from '../../policy/rules/answer-pattern.ts';
import { readCapsule } from '../../registry/capsule-store.ts';
import { MAX_ANSWER_CHARS } from '../../tools/ask-person.ts';
import { operationIn } from '../../tools/define/tool.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { assertActor } from '../calls/assert-actor.ts';
import type { AppContext } from '../context/open-context.ts';
import { nextOfParked } from '../runs/show/run-document.ts';
import { ownCapsuleRoots } from '../wiring/registry/capsule-roots.ts';
import { assertEditedSteps } from './assert-edited-steps.ts';
import { findApprovalToAnswer } from './find-approval.ts';
import { type RememberRequest, rememberTerms } from './remember-terms.ts';

export interface AnswerRequest {
  /** One of the question's `choices`; if it has `freeText`, any text of at most 4,000 characters. */
  readonly answer: ApprovalAnswer;
  /** The surface that a person answers at: `cli`, `terminal`, `dashboard`, … For the record. */
  readonly by: string;
  /** At least the first 8 characters of the binding of the question that was shown. Default: not compared. */
  readonly binding?: string | undefined;
  /** For a plan that is approved: the edited steps. See `editableSteps`. Default: the planned steps. */
  readonly steps?: readonly EditedStep[] | undefined;
  /** Why, for the record; at most 2,000 characters. */
  readonly note?: string | undefined;
  /** Gives the same answer to later questions. Default: this once. */
  readonly remember?: RememberRequest | undefined;
}

/** The state of the run after one of its questions is answered. */
export type AnswerNext = AnswerAction | { readonly action: 'resume'; readonly id: string };

export interface AnsweredApproval {
  readonly approval: Approval;
  /** Of a parked run: its open questions, then to resume it. Otherwise empty. */
  readonly next: readonly AnswerNext[];
}

const MIN_BINDING_CHARS = 8;
const SHOWN_BINDING_CHARS = 12;
const MAX_NOTE_CHARS = 2_000;

/** Answers one open question. The first answer wins, whichever process gives it. */
export async function answerApproval(
  context: AppContext,
  id: string,
  request: AnswerRequest,
): Promise<AnsweredApproval> {
  const stores = await context.stores();
  assertAnswerRequest(request);
  const { answer, by, binding, note, remember, steps } = request;
  const approval = findApprovalToAnswer(stores, id);
  assertOpen(approval, stores);
  assertChoice(approval, answer);
  assertActor(by);
  if (binding !== undefined) assertBinding(approval, binding);
  if (note !== undefined) assertNote(note);
  const editedSteps = steps && assertEditedSteps(stores, approval, answer, steps);
  const isOfFiles = approval.kind === 'changed_capsule' && answer === 'approve';
  const files = isOfFiles ? approvedFiles(approval, stores, context.places) : undefined;
  const given = {
    answer: answer.toWellFormed(),
    by,
    note: note?.toWellFormed(),
    remember: remember && termsOf(remember, approval, stores, answer),
    binding: approval.binding,
    editedSteps,
  };
  const isFirst = stores.desk.decide(approval, given, files);
  const row = stores.approvals.find(approval.id) ?? approval;
  if (!isFirst) throw closed(row);
  // A run that a process follows continues by itself.
  const run = stores.runs.find(row.runId);
  return { approval: row, next: run ? nextOfParked(run, stores.approvals.listOf(run.id)) : [] };
}

function termsOf(remember: RememberRequest, approval: Approval, stores: Stores, answer: string) {
  const terms = rememberTerms(remember, approval, stores.now());
  if (remember.pattern !== undefined) assertPatternMatches(terms.pattern, approval, stores, answer);
  return terms;
}

const closed = (row: Approval): AppError =>
  new AppError('APPROVAL_CLOSED', { id: row.id, what: approvalStatus(row) });

/** The update of the row decides; this gives the reason in words. */
function assertOpen(approval: Approval, { approvals }: Pick<Stores, 'approvals'>): void {
  const { id, status, expiresAt } = approval;
  if (status !== 'pending') throw closed(approval);
  if (expiresAt === null || !approvals.isOverdue(approval)) return;
  const what = `it expired at ${shortTime(expiresAt)} without an answer`;
  throw new AppError('APPROVAL_CLOSED', { id, what });
}

/**
 * The files that a question about a changed capsule shows. If they changed since, the question is withdrawn: an approval
 * would be of files that are gone, in place of a newer one.
 *
 * @throws AppError `APPROVAL_CLOSED`.
 */
function approvedFiles(
  approval: Approval,
  { journal, desk }: Pick<Stores, 'journal' | 'desk'>,
  places: Places,
): readonly AgreedFile[] {
  const capsule = changedCapsule(approval, journal);
  const roots = ownCapsuleRoots(places);
  const files = tryOr(() => {
    if (!capsule) return undefined;
    const origin = dirname(capsule.dir) === roots.shipped ? 'shipped' : 'personal';
    const present = readCapsule(capsule.dir, origin, roots);
    return agreedHashOf(present) === approval.capsuleHash ? agreedFilesOf(present) : undefined;
  }, undefined);
  if (files) return files;
  desk.withdraw(approval);
  const what =
    'the files changed since, so there is nothing to approve. When its run is resumed, it asks about them as they are';
  throw new AppError('APPROVAL_CLOSED', { id: approval.id, what });
}

function assertChoice(approval: Approval, answer: ApprovalAnswer): void {
  if (approval.choices.includes(answer)) return;
  if (approval.freeText) {
    assertWords(answer);
    return;
  }
  const { action: _, ...question } = answerAction(approval);
  throw new AppError('APPROVAL_CHOICE', { ...question, given: escapeText(answer) });
}

function assertWords(answer: string): void {
  const { length } = answer;
  if (answer.trim() !== '' && length <= MAX_ANSWER_CHARS) return;
  const problem =
    length <= MAX_ANSWER_CHARS
      ? 'The answer is empty.'
      : `The answer has ${length} characters; ${MAX_ANSWER_CHARS} are allowed.`;
  throw usage(problem, 'answer');
}

function assertBinding({ id, binding }: Approval, given: string): void {
  if (given.length >= MIN_BINDING_CHARS && binding.startsWith(given)) return;
  throw new AppError('APPROVAL_ELSEWHERE', {
    id,
    given: escapeText(given),
    binding: binding.slice(0, SHOWN_BINDING_CHARS),
  });
}

function assertNote(note: string): void {
  if (note.length <= MAX_NOTE_CHARS) return;
  throw usage(`note has ${note.length} characters; ${MAX_NOTE_CHARS} are allowed.`);
}

/** Refuses a pattern that does not match the request of the question itself. */
function assertPatternMatches(
  pattern: string,
  approval: Approval,
  { journal }: Pick<Stores, 'journal'>,
  answer: string,
): void {
  const { runId, intentId, requestHash, target } = approval;
  const intent = journal.intentsOf(runId).find(({ id }) => id === intentId);
  const operation = operationIn(intent?.request, toolbox);
  if (!operation || matchesAnswer(pattern, { operation, requestHash }, answer)) return;
  const [kind = '', ...rest] = pattern.split(':');
  const fix = canHavePattern(operation) ? (advice[kind] ?? '') : ONLY_EXACT;
  const problem = `The pattern ${rest.join(':')} does not match this request: ${target}. ${fix}`;
  throw usage(escapeText(problem.trim()), 'remember.pattern');
}

const ONLY_EXACT = 'No pattern does: only exactly this request can be remembered.';

/** What a pattern of each kind may contain. */
const advice: Readonly<Record<string, string>> = {
  argv: 'Write its options as they are; * stands for one other word, ** for all that follow.',
  path: 'Write its path; * stands for a part of a name, ** for folders and names.',
  host: 'Write its host; * stands for the first part of the name.',
};

const text = z.string();
const optionalText = text.optional();
const AnswerFields = z.object({
  ...{ answer: text, by: text, binding: optionalText, note: optionalText },
  remember: z.object({ pattern: optionalText, until: optionalText }).optional(),
});

/**
 * Checks the types of an answer's fields, which untyped callers may get wrong. Their values are checked later.
 *
 * @throws AppError `USAGE`, with the name of the field.
 */
function assertAnswerRequest(request: unknown): void {
  const [issue] = AnswerFields.safeParse(request, { reportInput: true }).error?.issues ?? [];
  if (issue?.code !== 'invalid_type') return;
  const field = issue.path.join('.') || 'request';
  const type = issue.expected === 'string' ? 'a string' : 'an object';
  const problem = `${field} is ${nameOf(issue.input)}; it must be ${type}.`;
  throw usage(problem, field);
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
