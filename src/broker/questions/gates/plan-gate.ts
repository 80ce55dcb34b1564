import type { Approval } from '../../../contract/approval.ts';
import { AppError } from '../../../contract/errors.ts';
import type { IntentRecord } from '../../../contract/intent.ts';
import type { PlanPreview } from '../../../contract/plan-preview.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { withFullStop } from '../../../contract/text/full-stop.ts';
import { aboutIntent } from '../../intent/record.ts';
import type { RunScope } from '../../intent/scope.ts';
import { askPerson } from '../ask.ts';
import {
  beforeApproval,
  draftQuestion,
  earlierQuestion,
  type QuestionContext,
  type QuestionParts,
} from '../question.ts';
import { endOwn, ownIntent } from './own-intent.ts';

/** `superseded`: the person sent a message instead, so the plan is made again. */
export type PlanAnswer =
  | { readonly kind: 'approved' | 'superseded' }
  | {
      readonly kind: 'dropped';
      readonly reason: 'cancelled' | 'denied' | 'expired';
      readonly why: string;
    };

interface PlanRequest {
  readonly scope: RunScope;
  readonly phase: 'discovery' | 'execution';
  /** The planned steps, as they are stored. */
  readonly steps: readonly unknown[];
  /** Why the plan of the model was not taken, in the reason of the question. */
  readonly notice?: string | undefined;
  /** Computed when the question is written. */
  readonly preview: () => Promise<PlanPreview>;
  readonly superseded: AbortSignal;
  /** Called in the transaction that records the answer, with the steps if the person edited them. */
  readonly onApproved: (editedSteps: readonly unknown[] | null) => void;
}

const PLAN_START = 'plan.start';

interface PlanOutcome {
  readonly ok: true;
  readonly answer: PlanAnswer;
  /** Null: as planned. */
  readonly steps: readonly unknown[] | null;
}

export type PlanGate = ReturnType<typeof createPlanGate>;

/**
 * Asks a person whether a plan may start. The approve mode answers without a question. An answer is never remembered,
 * and does not cover the effects of the steps. The answer to the plan of a phase holds when the run is resumed.
 *
 * @throws AppError `CANCELLED` if the run stopped or parked while the question waited.
 */
export const createPlanGate =
  (parts: QuestionParts) =>
  async (request: PlanRequest): Promise<PlanAnswer> => {
    const { scope: run, phase, steps } = request;
    const scope = run.coordinator;
    if (isApproved(scope.record?.left() ?? [], phase)) return { kind: 'approved' };
    const { intent, recorded } = ownIntent(scope, parts.now, {
      name: PLAN_START,
      target: phase,
      tier: 0,
      request: { phase, steps },
    });
    if (recorded?.status === 'done') return (recorded.outcome as PlanOutcome).answer;
    const end: End = (answer, approval) => settle(intent, answer, request, { parts, approval });
    const unasked = request.superseded.aborted ? SUPERSEDED : byMode[run.policy.approveMode];
    return unasked ? end(unasked) : askAbout(request, intent, { scope, parts }, end);
  };

const isApproved = (earlier: readonly IntentRecord[], phase: string): boolean =>
  earlier.some(
    ({ name, target, status, outcome }) =>
      name === PLAN_START &&
      target === phase &&
      status === 'done' &&
      (outcome as PlanOutcome).answer.kind === 'approved',
  );

function dropped(
  why: string,
  reason: 'cancelled' | 'denied' | 'expired' = 'cancelled',
): PlanAnswer {
  return { kind: 'dropped', reason, why };
}

const SUPERSEDED: PlanAnswer = { kind: 'superseded' };

const byMode: Readonly<Record<string, PlanAnswer | undefined>> = {
  allow: { kind: 'approved' },
  deny: dropped('the approve mode denies every question.', 'denied'),
};

const ASKED = 'You asked to see the plan first. The steps still need their own approvals.';

type End = (answer: PlanAnswer, approval?: Approval) => PlanAnswer;

async function askAbout(
  { preview, steps, superseded, notice }: PlanRequest,
  intent: IntentRecord,
  { scope, parts }: QuestionContext,
  end: End,
): Promise<PlanAnswer> {
  const signal = AbortSignal.any([scope.signal, superseded]);
  const context: QuestionContext = { scope: { ...scope, signal }, parts };
  const plan = await preview();
  const text = {
    question: `Start ${steps.length === 1 ? 'this step' : `these ${steps.length} steps`}?`,
    sentence: [notice, ASKED].filter(Boolean).join(' '),
    forced: true,
  };
  const subject = { kind: 'plan', details: describe(plan), plan } as const;
  const drafted = draftQuestion(text, subject, intent, context);
  const earlier = intent.status === 'waiting' ? earlierQuestion(drafted, context) : undefined;
  const refusal = earlier ? undefined : await refusedByHook(drafted, context);
  if (refusal) return end(refusal);
  const question = earlier ?? drafted;
  try {
    return end(answerOf(await askPerson(question, intent, context)), question);
  } catch (error) {
    if (!superseded.aborted || scope.signal.aborted) throw error;
    return supersede(question, intent, { scope, parts }, end);
  }
}

/** To be called before a new question. Closes an open question with other rules or another budget, whose answer would be invalid. */
async function refusedByHook(
  drafted: Approval,
  context: QuestionContext,
): Promise<PlanAnswer | undefined> {
  const { journal, approvals } = context.parts;
  journal.commit(() => approvals.withdraw(drafted.intentId ?? ''));
  const { kind, hook, why } = await beforeApproval(drafted, context);
  return kind === 'deny'
    ? dropped(`the hook "${hook}" denied it. ${withFullStop(why)}`.trim())
    : undefined;
}

/** An answer that came at the same moment counts. */
function supersede(
  question: Approval,
  intent: IntentRecord,
  { parts }: QuestionContext,
  end: End,
): PlanAnswer {
  const row = parts.approvals.find(question.id);
  if (row && row.status !== 'pending') return end(answerOf(row), question);
  const answer = end(SUPERSEDED, question);
  const about = { ...aboutIntent(intent), approval_id: question.id };
  parts.events.emit({ type: 'approval.decided', ...about, answer: 'superseded', by: 'message' });
  return answer;
}

function answerOf({ answer, status, note }: Approval): PlanAnswer {
  if (answer === 'approve') return { kind: 'approved' };
  if (status === 'expired' && answer === null)
    return dropped('nobody answered in time (CAPSTAN_APPROVAL_DEADLINE_SEC).', 'expired');
  return dropped(note ? `a person dropped it: ${withFullStop(note)}` : 'a person dropped it.');
}

/** Writes the answer and its consequences in one transaction. */
function settle(
  intent: IntentRecord,
  answer: PlanAnswer,
  { onApproved }: PlanRequest,
  { parts, approval }: { readonly parts: QuestionParts; readonly approval: Approval | undefined },
): PlanAnswer {
  const { approvals } = parts;
  const steps = (approval && approvals.find(approval.id)?.editedSteps) ?? null;
  const outcome: PlanOutcome = { ok: true, answer, steps };
  endOwn(intent, { to: 'done', step: 6, rule: 'plan_first', outcome }, parts, () => {
    approvals.withdraw(intent.id);
    if (approval && answer.kind !== 'superseded') approvals.consume(approval.id);
    if (answer.kind === 'approved') onApproved(steps);
  });
  return answer;
}

/** Every text in it is untrusted and escaped: no line can be forged. */
const describe = ({ steps, forecast }: PlanPreview): string =>
  [
    ...steps.map(({ description, capsule_id, route, hint, depends_on }, index) => {
      const by = capsule_id ?? (route === 'create' ? 'a new capsule' : 'no capsule fits');
      const after = depends_on.length > 0 ? ` after ${depends_on.join(', ')}` : '';
      const words = [escapeText(by), ...(hint === null ? [] : [hint])].join(', ');
      return `${index + 1}  ${escapeText(description)} (${words})${escapeText(after)}`;
    }),
    ...(forecast.is_free ? [] : [`At most $${forecast.cap_usd.toFixed(2)}.`]),
  ].join('\n');

/** A plan gate whose answers were recorded. @param find The recorded intent with this request. */
export const recordedPlanGate =
  (find: (request: unknown) => Pick<IntentRecord, 'outcome'> | undefined): PlanGate =>
  async ({ phase, steps, onApproved, scope }) => {
    if (scope.signal.aborted) throw new AppError('CANCELLED', { what: 'The replay' });
    const { answer = { kind: 'approved' }, steps: edited = null } = (find({ phase, steps })
      ?.outcome ?? {}) as Partial<PlanOutcome>;
    if (answer.kind === 'approved') onApproved(edited);
    return answer;
  };
