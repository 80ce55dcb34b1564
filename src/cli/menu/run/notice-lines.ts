import type { CapstanEvent } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { noticeText } from '../../report/lines/notice-text.ts';
import { shorten } from '../../text/shorten.ts';
import { wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';

/** The live lines and the ended step say these. */
const shownElsewhere: ReadonlySet<CapstanEvent['type']> = new Set([
  'run.resumed',
  'model.answered',
]);

/** `! file-clerk remembered: prices are in euros`: notices of a run, printed once. */
export function noticeLines(event: CapstanEvent, frame: Frame): string[] {
  const text = shownElsewhere.has(event.type) ? undefined : noticeText(event);
  return text === undefined ? [] : markedLines(text, frame);
}

/** One notice. The text may be untrusted. */
export function markedLines(text: string, { style, symbols, width }: Frame): string[] {
  const [first = '', ...rest] = wrapProse(shorten(text, 500), width, `${symbols.notice} `);
  return [`${style.yellow(symbols.notice)}${first.slice(symbols.notice.length)}`, ...rest];
}

/** An event as it is shown at log level `debug`: `  subtask.routed {"score":0.87,…}` */
export function debugLine(
  { type, at: _at, run_id: _run, ...rest }: CapstanEvent,
  { style }: Frame,
): string {
  return style.dim(escapeText(`  ${type} ${shorten(JSON.stringify(rest), 300)}`));
}
