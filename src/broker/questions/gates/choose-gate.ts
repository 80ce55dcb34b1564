import type { Approval } from '../../../contract/approval.ts';
import type { IntentRecord } from '../../../contract/intent.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { Pause, RunScope } from '../../intent/scope.ts';
import { transition } from '../../intent/transitions.ts';
import { askPerson } from '../ask.ts';
import {
  beforeApproval,
  draftQuestion,
  earlierQuestion,
  type QuestionContext,
  type QuestionParts,
} from '../question.ts';
import { ownIntent } from './own-intent.ts';

/** A candidate capsule, as a person compares it. */
export interface ChoosableCapsule {
  readonly id: string;
  readonly score: number;
  readonly description: string;
}

export interface ChooseGate {
  /**
   * Asks a person which candidate gets a subtask, if someone can be asked and no approve mode answers for
   * them.
   *
   * @returns Its id; null if the person wants none of them; undefined if nobody answered.
   * @throws AppError `CANCELLED` if the run stopped while the question waited.
   */
  choose(request: {
    readonly scope: RunScope;
    readonly subtaskId: string;
    readonly subtask: string;
    /** Best first. */
    readonly among: readonly ChoosableCapsule[];
    readonly pause: Pause;
  }): Promise<string | null | undefined>;
}

export function createChooseGate(parts: QuestionParts): ChooseGate {
  return {
    async choose({ scope: run, subtaskId, subtask, among, pause }) {
      const scope = { ...run.coordinator, subtaskId, pause };
      const { intent, recorded } = ownIntent(scope, parts.now, {
        name: 'capsule.choose',
        target: among.map(({ id }) => id).join(' '),
        tier: 0,
        request: { subtask, among: among.map(({ id }) => id) },
      });
      if (recorded?.status === 'done') return (recorded.outcome as Chosen).capsule_id;
      return ask(intent, { subtask, among }, { scope, parts });
    },
  };
}

/** The outcome of the intent. */
interface Chosen {
  readonly ok: true;
  readonly capsule_id: string | null;
}

async function ask(
  intent: IntentRecord,
  { subtask, among }: { readonly subtask: string; readonly among: readonly ChoosableCapsule[] },
  context: QuestionContext,
): Promise<string | null | undefined> {
  const choices = [...among.map(({ id }) => `capsule:${id}` as const), 'none' as const];
  const question = {
    question: `Which capsule gets "${shortened(subtask)}"?`,
    sentence:
      'Several capsules have similar scores, and your settings let you choose (CAPSTAN_ROUTE_JUDGE).',
    forced: false,
  };
  const subject = { kind: 'route', details: describe(subtask, among), choices } as const;
  const drafted = draftQuestion(question, subject, intent, context);
  const earlier = earlierQuestion(drafted, context);
  const isAnswered = earlier?.status === 'answered';
  if (!isAnswered && !(await mayAsk(earlier, drafted, context))) return withdraw(intent, context);
  return settle(await askPerson(earlier ?? drafted, intent, context), intent, context);
}

/** If nobody can answer, no new question is asked, because the run can continue without it; an earlier question stays open. */
async function mayAsk(
  earlier: Approval | undefined,
  drafted: Approval,
  context: QuestionContext,
): Promise<boolean> {
  const { parts, scope } = context;
  if (scope.run.policy.approveMode !== 'ask') return false;
  if (earlier !== undefined) return true;
  if (!parts.canAnswer(scope.run)) return false;
  return (await beforeApproval(drafted, context)).kind !== 'deny';
}

/** Closes the question of an earlier process if the approve mode now answers it. */
function withdraw(intent: IntentRecord, { parts }: QuestionContext): undefined {
  if (intent.status !== 'waiting') return;
  parts.journal.save(unanswered(intent, parts), () => parts.approvals.withdraw(intent.id));
}

const unanswered = (intent: IntentRecord, { now }: QuestionParts) =>
  transition(intent, 'denied', {
    step: 6,
    rule: RULE,
    denial: 'expired',
    outcome: { ok: false },
    endedAt: now().toISOString(),
  });

const RULE = 'route_judge';

function settle(
  { id, answer }: Approval,
  intent: IntentRecord,
  { parts }: QuestionContext,
): string | null | undefined {
  if (answer === null) {
    parts.journal.save(unanswered(intent, parts));
    return undefined;
  }
  const chosen = answer.startsWith(PREFIX) ? answer.slice(PREFIX.length) : null;
  const outcome: Chosen = { ok: true, capsule_id: chosen };
  const endedAt = parts.now().toISOString();
  const done = transition(intent, 'done', { step: 6, rule: RULE, outcome, endedAt });
  parts.journal.save(done, () => parts.approvals.consumeOnce(id));
  return chosen;
}

const PREFIX = 'capsule:';

/** Every text in it is untrusted and escaped: no line can be forged. */
const describe = (subtask: string, among: readonly ChoosableCapsule[]): string =>
  [
    escapeText(subtask),
    ...among.map(({ id, score, description }, i) => {
      const said = escapeText(description.slice(0, MAX_DESCRIPTION));
      return `${i + 1}  ${id} (score ${score.toFixed(2)}): ${said}`;
    }),
  ].join('\n');

const MAX_DESCRIPTION = 300;
const MAX_SUBTASK = 120;

const shortened = (text: string): string =>
  text.length > MAX_SUBTASK ? `${text.slice(0, MAX_SUBTASK)}…` : text;
