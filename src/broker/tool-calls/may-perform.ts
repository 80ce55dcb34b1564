import { askAboutChange, decideToolCall } from '../../policy/decide-tool-call.ts';
import type { Decision } from '../../policy/decision.ts';
import type { FileEffect } from '../calls/preview.ts';
import { releasePaid } from '../calls/service.ts';
import { gatherToolFacts } from '../calls/tool-facts.ts';
import { describeOperation } from '../questions/describe-operation.ts';
import { settle } from '../questions/settle.ts';
import { type Refusal, type Settlement, settlementOf } from '../questions/settlement.ts';
import type { ToolCall, ToolFacts } from './tool-call.ts';

interface Judged {
  readonly settlement: Settlement;
  /** What was decided on last. */
  readonly facts: ToolFacts;
}

/** Files that somebody changes again and again under a question: then the answer is no. */
const MOST_QUESTIONS = 5;

/**
 * Decides on today's facts; after a person was asked, once more, since they may have changed meanwhile. Where a file
 * did, be it in another life of the run, what was agreed to is not what would be done: the question is put again, with
 * what would be.
 *
 * @throws AppError `CANCELLED`.
 */
export async function mayPerform(call: ToolCall, gathered: ToolFacts): Promise<Judged> {
  const { intent } = call;
  const wasAsked = intent.status === 'waiting';
  let facts = gathered;
  let shown = (wasAsked ? (intent.effects as Shown) : undefined) ?? facts.effects;
  try {
    for (let asked = 0; asked < MOST_QUESTIONS; asked++) {
      const isOutdated = isAnother(shown, facts.effects);
      const isAdopted = wasAsked && asked === 0 && !isOutdated;
      if (isOutdated) withdraw(call);
      const judged = await decide(call, facts, { isOutdated, isAdopted });
      if (!isAgreedOnAnother(judged, facts)) return judged;
      shown = facts.effects;
      facts = judged.facts;
    }
    return { settlement: CHANGED_TOO_OFTEN, facts };
  } catch (error) {
    releasePaid(call);
    throw error;
  }
}

type Shown = readonly FileEffect[] | undefined;

/** Whether other content stands under one of the paths. */
const isAnother = (shown: readonly FileEffect[], now: readonly FileEffect[]): boolean =>
  now.some(({ path, before }) => shown.find((one) => one.path === path)?.before !== before);

const isAgreedOnAnother = ({ settlement, facts }: Judged, shown: ToolFacts): boolean =>
  settlement.approved && settlement.isByPerson === true && isAnother(shown.effects, facts.effects);

/** A question that still waits, about what is no longer there, takes no answer any more. */
function withdraw({ intent: { id, runId }, parts: { journal, approvals, audit } }: ToolCall): void {
  journal.commit(() => {
    for (const ref of approvals.withdraw(id)) {
      const detail = { intent: id };
      audit.append({ actor: 'policy', action: 'approval.withdrawn', runId, ref, detail });
    }
  });
}

const CHANGED_TOO_OFTEN: Refusal = {
  approved: false,
  step: 6,
  rule: 'file_changed',
  reason: 'denied',
  sentence: 'The file changed again each time before the answer came.',
};

async function decide(
  { intent, prepared: { operation }, hook, paid, scope, parts }: ToolCall,
  facts: ToolFacts,
  { isOutdated, isAdopted }: { readonly isOutdated: boolean; readonly isAdopted: boolean },
): Promise<Judged> {
  const plain = decideToolCall(operation, facts);
  const decision = isOutdated && plain.kind !== 'deny' ? askAboutChange(operation) : plain;
  if (decision.kind !== 'ask') return { settlement: settlementOf(decision), facts };
  const asked = {
    kind: decision.rule === 'file_changed' ? 'changed_file' : 'tool',
    details: describeOperation(operation, intent.request, facts.effects),
    operation,
    isAdopted,
  } as const;
  const shown = facts.effects.length > 0 ? { ...intent, effects: facts.effects } : intent;
  const settlement = await settle(decision, shown, asked, { scope, parts });
  if (!settlement.approved) return { settlement, facts };
  const gathered = await gatherToolFacts(operation, intent, { scope, parts });
  const today = { ...gathered, hook, ...(paid && { isSpendAgreed: true }) };
  const again = decideToolCall(operation, today);
  if (again.kind === 'deny') return { settlement: settlementOf(again), facts: today };
  const judged = { settlement, facts: today };
  if (isAgreedOnAnother(judged, facts) || covers([plain, decision], again)) return judged;
  const sentence = 'What the question was about changed before it was answered.';
  const { rule } = again;
  return {
    settlement: { approved: false, step: 6, rule, reason: 'denied', sentence },
    facts: today,
  };
}

/** Whether a yes to these is one to what would be asked now: a forced one answers for any that is not. */
const covers = (agreed: readonly Decision[], now: Decision): boolean =>
  now.kind !== 'ask' ||
  agreed.some((one) => one.rule === now.rule || (one.kind === 'ask' && one.forced && !now.forced));
