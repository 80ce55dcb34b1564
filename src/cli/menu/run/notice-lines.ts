import type { CapstanEvent } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { formatCost, formatSeconds } from '../../format.ts';
import { shorten } from '../../text/shorten.ts';
import { wrapProse } from '../draw/wrap-prose.ts';
import type { Frame } from '../frame.ts';

type EventOf<Type extends CapstanEvent['type']> = Extract<CapstanEvent, { type: Type }>;
type Notices = { [Type in CapstanEvent['type']]?: (event: EventOf<Type>) => string | undefined };

/** Shorter waits before another try are not shown. */
const LONG_WAIT_MS = 1_000;

const notices: Notices = {
  'run.noticed': ({ text }) => text,
  'plan.repaired': ({ problem }) => `Planning again: ${problem}`,
  'memory.written': ({ capsule_id, text, is_untrusted }) =>
    `${capsule_id} remembered: ${text}${is_untrusted ? ' (it read content that you did not name)' : ''}`,
  'model.delayed': ({ provider, wait_ms }) =>
    wait_ms < LONG_WAIT_MS
      ? undefined
      : `${provider} is busy: next try in ${formatSeconds(wait_ms)}`,
  'budget.warned': ({ what, unit, used, limit }) => {
    const amount = (value: number) => (unit === 'usd' ? formatCost(value) : `${value} tokens`);
    return `${amount(used)} of the ${amount(limit)} for ${what} are used`;
  },
  'breaker.opened': ({ provider, model, rest_ms }) =>
    `${provider} (${model}) failed too often and is paused for ${formatSeconds(rest_ms)}`,
  'breaker.closed': ({ provider, model }) => `${provider} (${model}) works again`,
  'capsule.quarantined': ({ capsule_id, reason }) => `${capsule_id} is quarantined: ${reason}`,
};

/** `! file-clerk remembered: prices are in euros`: what the person should know of a run, printed once. */
export function noticeLines(event: CapstanEvent, frame: Frame): string[] {
  const notice = notices[event.type] as ((event: CapstanEvent) => string | undefined) | undefined;
  const text = notice?.(event);
  return text === undefined ? [] : noticeText(text, frame);
}

/** One notice. The text may be untrusted. */
export function noticeText(text: string, { style, symbols, width }: Frame): string[] {
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
