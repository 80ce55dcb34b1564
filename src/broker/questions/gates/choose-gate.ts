import type { Approval } from '../../../contract/approval.ts';
import type { IntentRecord } from '../../../contract/intent.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import type { AttemptScope } from '../../intent/scope.ts';
import {
  draftQuestion,
  earlierQuestion,
  type QuestionContext,
  type QuestionParts,
} from '../question.ts';
import { askAboutOwn, endOwn, endUnanswered, ownIntent } from './own-intent.ts';

interface ChoosableCapsule {
  readonly id: string;
  readonly score: number;
  readonly description: string;
}

interface Choice {
  readonly scope: AttemptScope;
  readonly subtask: string;
  /** Best first. */
  readonly among: readonly ChoosableCapsule[];
}

export type ChooseGate = ReturnType<typeof createChooseGate>;

/** Asks a person which candidate gets a subtask, if no approve mode answers. Null: none of them; undefined: nobody answered. Throws `CANCELLED`. */
export const createChooseGate =
  (parts: QuestionParts) =>
  async (choice: Choice): Promise<string | null | undefined> => {
    const { scope, subtask, among } = choice;
    const ids = among.map(({ id }) => id);
    const { intent, recorded } = ownIntent(scope, parts.now, {
      name: 'capsule.choose',
      target: ids.join(' '),
      tier: 0,
      request: { subtask, among: ids },
    });
    if (recorded?.status === 'done') return (recorded.outcome as Chosen).capsule_id;
    return ask(intent, choice, { scope, parts });
  };

interface Chosen {
  readonly ok: true;
  readonly capsule_id: string | null;
}

/** If nobody can answer, no new question is asked, because the run can continue without it; an earlier question stays open. */
async function ask(
  intent: IntentRecord,
  { subtask, among }: Choice,
  context: QuestionContext,
): Promise<string | null | undefined> {
  const { parts, scope } = context;
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
  const isForPerson = scope.run.policy.approveMode === 'ask';
  const mayAsk = isForPerson && (earlier !== undefined || parts.canAnswer(scope.run));
  const isAnswered = earlier?.status === 'answered';
  const answered = isAnswered || mayAsk ? await askAboutOwn(drafted, intent, context) : undefined;
  if (answered) return settle(answered, intent, parts);
  // The approve mode now answers the question of an earlier process.
  if (intent.status === 'waiting') endUnanswered(intent, BY_PERSON, parts);
  return undefined;
}

const BY_PERSON = { step: 6, rule: 'route_judge' } as const;

function settle(
  { id, answer }: Approval,
  intent: IntentRecord,
  parts: QuestionParts,
): string | null | undefined {
  if (answer === null) {
    endUnanswered(intent, BY_PERSON, parts);
    return undefined;
  }
  const chosen = answer.startsWith(PREFIX) ? answer.slice(PREFIX.length) : null;
  const outcome: Chosen = { ok: true, capsule_id: chosen };
  endOwn(intent, { to: 'done', ...BY_PERSON, outcome }, parts, () =>
    parts.approvals.consumeOnce(id),
  );
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
