import type { Approval } from '../../contract/approval.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { BrokerParts } from '../calls/parts.ts';
import { openIntent } from '../intent/record.ts';
import type { AttemptScope, Pause, RunScope } from '../intent/scope.ts';
import { beforeApproval } from './approval-hooks.ts';
import { askPerson } from './ask-person.ts';
import { draftQuestion, standingQuestion } from './settle.ts';

/** A capsule of a short list, as a person compares it. */
export interface Eligible {
  readonly id: string;
  readonly score: number;
  readonly description: string;
}

export interface ChooseGate {
  /**
   * Asks a person which capsule of a short list gets a subtask: where somebody can be asked, and no approve mode answers
   * for them.
   *
   * @returns Its id; null where none of them is wanted; undefined where nobody said.
   * @throws AppError `CANCELLED` where the run left off while the question waited.
   */
  choose(wish: {
    readonly scope: RunScope;
    readonly subtaskId: string;
    readonly subtask: string;
    /** Best first. */
    readonly among: readonly Eligible[];
    readonly pause: Pause;
  }): Promise<string | null | undefined>;
}

export function createChooseGate(parts: BrokerParts): ChooseGate {
  return {
    async choose({ scope: run, subtaskId, subtask, among, pause }) {
      const scope = { ...run.coordinator, subtaskId, pause };
      const fresh = openIntent(scope, parts.now, {
        kind: 'tool',
        name: 'capsule.choose',
        target: among.map(({ id }) => id).join(' '),
        tier: 0,
        repeatability: 'pure',
        request: { subtask, among: among.map(({ id }) => id) },
        reason: '',
      });
      const recorded = scope.record?.take(undefined, fresh.requestHash);
      if (recorded?.status === 'done') return (recorded.outcome as Chosen).capsule_id;
      const intent = recorded?.status === 'waiting' ? recorded : fresh;
      return ask(intent, { subtask, among }, { scope, parts });
    },
  };
}

/** The outcome of the intent. */
interface Chosen {
  readonly ok: true;
  readonly capsule_id: string | null;
}

interface Where {
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
}

async function ask(
  intent: IntentRecord,
  { subtask, among }: { readonly subtask: string; readonly among: readonly Eligible[] },
  where: Where,
): Promise<string | null | undefined> {
  const choices = [...among.map(({ id }) => `capsule:${id}` as const), 'none' as const];
  const question = {
    question: `Which capsule gets "${shortened(subtask)}"?`,
    sentence: 'Several are near it, and you want to choose (CAPSTAN_ROUTE_JUDGE).',
    forced: false,
  };
  const asked = { kind: 'route', details: describe(subtask, among) } as const;
  const drafted = draftQuestion(question, intent, { asked, where }, choices);
  const standing = standingQuestion(drafted, where);
  const isSettled = standing?.status === 'answered';
  if (!isSettled && !(await mayAsk(standing, drafted, where))) return undone(intent, where);
  return settle(await askPerson(standing ?? drafted, intent, where), intent, where);
}

/** Where nobody is there, a new question would stop the run for what can go on without it; one that stands is waited for. */
async function mayAsk(
  standing: Approval | undefined,
  drafted: Approval,
  where: Where,
): Promise<boolean> {
  const { parts, scope } = where;
  if (scope.run.policy.approveMode !== 'ask') return false;
  if (standing !== undefined) return true;
  return parts.canAnswer(scope.run) && (await beforeApproval(drafted, where)).kind !== 'deny';
}

/** What an earlier process asked and the approve mode answers now is closed. */
function undone(intent: IntentRecord, { parts }: Where): undefined {
  if (intent.status !== 'waiting') return;
  parts.journal.save({ ...intent, ...unanswered(parts) }, () => {
    for (const ref of parts.approvals.withdraw(intent.id)) {
      const line = { actor: 'policy', action: 'approval.expired', runId: intent.runId };
      parts.audit.append({ ...line, ref, detail: {} });
    }
  });
}

const unanswered = ({ now }: BrokerParts) =>
  ({
    status: 'denied',
    step: 6,
    rule: RULE,
    denial: 'expired',
    outcome: { ok: false },
    endedAt: now().toISOString(),
  }) as const;

const RULE = 'route_judge';

function settle(
  { id, answer }: Approval,
  intent: IntentRecord,
  { parts }: Where,
): string | null | undefined {
  if (answer === null) {
    parts.journal.save({ ...intent, ...unanswered(parts) });
    return undefined;
  }
  const chosen = answer.startsWith(PREFIX) ? answer.slice(PREFIX.length) : null;
  const outcome: Chosen = { ok: true, capsule_id: chosen };
  const endedAt = parts.now().toISOString();
  const done = { status: 'done', step: 6, rule: RULE, outcome, endedAt } as const;
  parts.journal.save({ ...intent, ...done }, () => {
    if (!parts.approvals.consume(id)) throw new Error(`the answer ${id} was used before`);
  });
  return chosen;
}

const PREFIX = 'capsule:';

/** Everything in it was written by others: no line of it can be forged. */
const describe = (subtask: string, among: readonly Eligible[]): string =>
  [
    escapeText(subtask),
    ...among.map(({ id, score, description }, i) => {
      const said = escapeText(description.slice(0, MOST_DESCRIPTION));
      return `${i + 1}  ${id} (score ${score.toFixed(2)}): ${said}`;
    }),
  ].join('\n');

const MOST_DESCRIPTION = 300;
const MOST_SUBTASK = 120;

const shortened = (text: string): string =>
  text.length > MOST_SUBTASK ? `${text.slice(0, MOST_SUBTASK)}…` : text;
