import type { Approval, ApprovalAnswer } from '../../../contract/approval.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { firstLine } from '../../../contract/text/first-line.ts';
import { shortId } from '../../text/short-id.ts';
import { markedProse, wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';

/** The subject of a question, for its answer line. */
interface Answered {
  readonly kind: string;
  readonly question: string;
  readonly operation?: string;
}

interface AnswerLook {
  readonly terms?: string | undefined;
  readonly pattern?: string | undefined;
  readonly how?: string;
  readonly frame: Frame;
}

/**
 * Draws the line that replaces the key line: `✓ Allowed once: change src/cart.js`.
 *
 * @param terms Of an answer that is remembered, in words. Default: it is valid once.
 * @param pattern Of an answer that is remembered. Default: it is for this very request.
 * @param how Where or how it was answered: ` in another terminal`. Default: empty, for this terminal.
 */
export function answerLine(
  asked: Answered,
  answer: ApprovalAnswer,
  { terms, pattern, how = '', frame }: AnswerLook,
): string[] {
  const { symbols, style } = frame;
  const isRefusal = answer === 'deny' || answer === 'abandon';
  const mark = isRefusal ? symbols.failed : symbols.done;
  const subject =
    pattern === undefined
      ? `${subjectOf(asked, answer)}${terms === undefined || asked.kind === 'spend' ? '' : ', only this request'}`
      : escapeText(`${asked.operation}, ${pattern}`);
  const text = `${wordsFor(asked, answer, terms)}${how}: ${subject}`;
  return markedProse(text, frame.width, { mark, paint: isRefusal ? style.red : style.green });
}

function wordsFor({ kind }: Answered, answer: ApprovalAnswer, terms?: string): string {
  if (kind === 'question') return 'Answered';
  const always = terms === undefined ? ' once' : ` always (${terms})`;
  if (answer === 'approve') return `Allowed${always}`;
  if (answer === 'deny') return `Denied${always}`;
  return choiceWords[answer] ?? 'Chosen';
}

const choiceWords: Readonly<Record<string, string>> = {
  it_happened: 'It happened',
  do_it: 'Done again',
  abandon: 'Abandoned',
  none: 'None of them',
};

/** The question without `Allow file-clerk to`: `change src/cart.js`. */
function subjectOf({ kind, question }: Answered, answer = ''): string {
  if (kind === 'question') return escapeText(answer.replace(/\s+/g, ' '));
  if (answer.startsWith('capsule:')) return escapeText(answer.slice('capsule:'.length));
  const first = firstLine(question);
  return escapeText(
    first.replace(/^(?:Allow \S+(?: run)? to |Allow |Did this happen: )/, '').replace(/\?$/, ''),
  );
}

/** Draws a question that was left open: `– Stays open: change src/cart.js (e1d92c77)` */
export function skippedLines(approval: Answered & Pick<Approval, 'id'>, frame: Frame): string[] {
  const { symbols, width } = frame;
  const subject =
    approval.kind === 'question' ? escapeText(approval.question) : subjectOf(approval);
  return wrapProse(
    `Stays open: ${subject} (${shortId(approval.id)})`,
    width,
    `${symbols.skipped} `,
  );
}

/** Draws the line for a question that was answered by a rule, another terminal or the dashboard, or that expired. */
export function decidedLines(
  asked: Answered,
  { answer, by }: { readonly answer: string; readonly by: string },
  frame: Frame,
): string[] {
  if (by === 'nobody') {
    const text = `No answer in time: ${asked.kind === 'question' ? escapeText(asked.question) : subjectOf(asked)}`;
    return wrapProse(text, frame.width, `${frame.symbols.failed} `);
  }
  return answerLine(asked, answer, { how: placeOf(by), frame });
}

function placeOf(by: string): string {
  const [kind = '', id = ''] = by.split(':');
  if (kind === 'remembered') return ` by remembered answer ${shortId(id)}`;
  return places[by] ?? ` by ${escapeText(by)}`;
}

const places: Readonly<Record<string, string>> = {
  terminal: ' in another terminal',
  cli: ' in another terminal',
  dashboard: ' in the dashboard',
  approve_mode: ' by the approve mode',
};
