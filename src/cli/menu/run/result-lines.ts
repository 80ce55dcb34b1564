import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { type ClosingOptions, closingLines, finalAnswer } from '../../report/closing-lines.ts';
import { drawMarkdown } from '../draw/draw-markdown.ts';
import { fixed, markedProse, wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';
import { textWidth } from '../terminal/text-width.ts';

/** The remark about one denial, at the beginning of an answer. */
const REMARK = /^Denied and not done:\n\n- .*(?:\n\n|$)/;

type Answered = Pick<RunDocument, 'answer' | 'status' | 'reason' | 'subtasks' | 'denials'>;

/**
 * Draws the answer as Markdown after a blank line. Empty without an answer, or if failed steps already gave it. Of a run that
 * one denial failed, without the remark: the closing lines tell it.
 */
export function answerLines(document: Answered, frame: Frame, isFolded: boolean): string[] {
  const { reason, denials } = document;
  const isTold = (reason === 'denied' || reason === 'expired') && denials.length === 1;
  const answer = finalAnswer(document)?.replace(isTold ? REMARK : '', '');
  return answer ? ['', ...drawMarkdown(answer.trimEnd(), frame, { isFolded })] : [];
}

/** Draws the closing lines after a blank line: outcome, changed files, what to type next. */
export function endLines(document: RunDocument, frame: Frame, options: ClosingOptions): string[] {
  const { style, symbols, width } = frame;
  const { mark, outcome, changes, next } = closingLines(document, options);
  const symbol = symbols[mark];
  const paint = { done: style.green, failed: style.red, parked: style.yellow }[mark];
  const join = (parts: readonly string[]) =>
    parts.map((part) => (textWidth(part) < width - 2 ? fixed(part) : part)).join(symbols.separator);
  const indented = (parts: readonly string[]) =>
    parts.length === 0 ? [] : wrapProse(join(parts), width - 2).map((line) => `  ${line}`);
  const failure = document.error
    ? wrapProse(escapeText(document.error.message, true), width - 2).map((line) => `  ${line}`)
    : [];
  return [
    '',
    ...markedProse(outcome.join(symbols.separator), width, { mark: symbol, paint }),
    ...failure,
    ...indented(changes),
    ...indented(next).map(style.dim),
  ];
}
