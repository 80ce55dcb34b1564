import type { CapstanEvent } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { noticeText } from '../../report/lines/notice-text.ts';
import { shorten } from '../../text/shorten.ts';
import { wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';

/** Events that the live lines or the ended step already show. */
const shownElsewhere: ReadonlySet<CapstanEvent['type']> = new Set([
  'run.resumed',
  'model.answered',
]);

/** Draws the notice of an event, if it has one: `! file-clerk remembered: prices are in euros` */
export function noticeLines(event: CapstanEvent, frame: Frame): string[] {
  const text = shownElsewhere.has(event.type) ? undefined : noticeText(event);
  return text === undefined ? [] : markedLines(text, frame);
}

/** Draws one notice. The text may be untrusted. */
export function markedLines(text: string, { style, symbols, width }: Frame): string[] {
  const [first = '', ...rest] = wrapProse(shorten(text, 500), width, `${symbols.notice} `);
  return [`${style.yellow(symbols.notice)}${first.slice(symbols.notice.length)}`, ...rest];
}

/** Draws an event at log level `debug`: `  subtask.routed {"score":0.87,…}` */
export function debugLine(
  { type, at: _at, run_id: _run, ...rest }: CapstanEvent,
  { style }: Frame,
): string {
  return style.dim(escapeText(`  ${type} ${shorten(JSON.stringify(rest), 300)}`));
}
