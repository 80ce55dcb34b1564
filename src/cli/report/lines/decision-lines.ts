import type { CapstanEvent, EventOf } from '../../../contract/event.ts';
import { firstLine } from '../../../contract/text/first-line.ts';
import { printable } from '../../../contract/text/printable.ts';
import { shortId } from '../../text/short-id.ts';
import { operationWords } from '../operation-words.ts';
import type { StepWord } from './line-words.ts';

interface DecisionOptions {
  say(subtaskId: string, word: StepWord, text: string): void;
  /** The prompt of this terminal, if it asks: it shows the questions and its own answers. */
  readonly asking: { hasShown(approvalId: string): boolean } | undefined;
  /** A question is shown after this many milliseconds, or with the next event, unless the approve mode answers it. */
  readonly holdMs: number;
}

/** Lines about questions, answers and denials, one for each decision. */
export function createDecisionLines({ say, asking, holdMs }: DecisionOptions) {
  const asked = new Map<string, EventOf<'approval.asked'>>();
  /** Who denied an intent. */
  const deniers = new Map<string, string>();
  const denied = new Set<string>();
  let held: EventOf<'approval.asked'> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    clearTimeout(timer);
    const event = held;
    held = undefined;
    if (event)
      say(event.subtask_id, 'asks', `${oneLine(event.question)} (${shortId(event.approval_id)})`);
  };
  const hold = (event: EventOf<'approval.asked'>) => {
    release();
    held = event;
    timer = setTimeout(release, holdMs).unref();
  };

  const onAnswer = (event: EventOf<'approval.decided'>, isShown: boolean) => {
    const question = asked.get(event.approval_id);
    asked.delete(event.approval_id);
    if (event.by === 'approve_mode' && held?.approval_id === event.approval_id) held = undefined;
    release();
    deniers.set(event.intent_id, answererOf(event));
    if (!isShown || event.by === 'terminal' || asking?.hasShown(event.approval_id)) return;
    if (question?.kind === 'question')
      say(event.subtask_id, 'answered', `${oneLine(question.question)} (${answererOf(event)})`);
    else if (event.answer === 'approve')
      say(event.subtask_id, 'allowed', `${requestOf(question?.question)} (${answererOf(event)})`);
  };
  const onDenial = ({ intent_id, subtask_id, what, sentence }: EventOf<'intent.denied'>) => {
    const [operation = '', ...target] = what.split(' ');
    denied.add(subtask_id);
    const why = deniers.get(intent_id) ?? sentence;
    const { request } = operationWords(operation, target.join(' '));
    say(subtask_id, 'denied', `${request} (${oneLine(why).replace(/\.$/, '')})`);
  };

  return {
    /** Returns whether the event is a question, an answer or a denial. */
    onEvent(event: CapstanEvent, isShown: boolean): boolean {
      if (event.type === 'approval.decided') onAnswer(event, isShown);
      else release();
      if (event.type === 'intent.denied' && isShown) onDenial(event);
      if (event.type === 'approval.asked') {
        asked.set(event.approval_id, event);
        if (isShown && !asking) hold(event);
      }
      return /^(?:approval\.|intent\.denied)/.test(event.type);
    },
    /** Whether a line says already that this step ended because something was denied. */
    hasDenied: (id: string, reason: string | null): boolean =>
      denied.has(id) && (reason === 'denied' || reason === 'expired'),
    close: () => clearTimeout(timer),
  };
}

/** `approve mode deny`, `remembered answer 1234abcd`, `no answer in time`, `from the dashboard` */
function answererOf({ by, answer }: EventOf<'approval.decided'>): string {
  if (by === 'approve_mode') return `approve mode ${answer === 'approve' ? 'allow' : answer}`;
  if (by === 'nobody') return 'no answer in time';
  const [kind, id] = by.split(':');
  return kind === 'remembered' ? `remembered answer ${shortId(id ?? '')}` : `from ${oneLine(by)}`;
}

/** `change Makefile` of `Allow file-clerk to change Makefile?` */
const requestOf = (question = ''): string => {
  const text = oneLine(question);
  return /^Allow \S+ to (.+)\?$/.exec(text)?.[1] ?? text;
};

const oneLine = (text: string): string => printable(firstLine(text), 300);
