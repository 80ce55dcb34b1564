import type { CapstanEvent, EventOf } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { formatCost, formatDuration } from '../../text/format.ts';

type Notices = {
  readonly [Type in CapstanEvent['type']]?: (event: EventOf<Type>) => string | undefined;
};

/** An event that a person should know about but no step reports, as one line; undefined for other events. */
export function noticeText(event: CapstanEvent): string | undefined {
  const text = notices[event.type] as ((event: CapstanEvent) => string | undefined) | undefined;
  return text?.(event);
}

/** Shorter waits before another try are not shown. */
const LONG_WAIT_MS = 1_000;

const notices: Notices = {
  'run.noticed': ({ text }) => escapeText(text, true),
  'message.received': ({ text, by }) => `message from ${escapeText(by)}: ${inOneLine(text)}`,
  'plan.repaired': ({ problem }) => `planning again: ${inOneLine(problem)}`,
  'capsule.quarantined': ({ capsule_id: id, reason }) =>
    `${escapeText(id)} is quarantined: ${inOneLine(reason)} (capstan capsules restore ${escapeText(id)})`,
  'capsule.noise': ({ capsule_id: id, text }) => `${escapeText(id)} printed: ${inOneLine(text)}`,
  'memory.written': ({ capsule_id: id, text, is_untrusted }) =>
    `${escapeText(id)} remembered: ${inOneLine(text)}${is_untrusted ? ', after it read content that you did not name' : ''} (capstan capsules memory list ${escapeText(id)})`,
  'model.delayed': ({ problem, wait_ms }) =>
    wait_ms < LONG_WAIT_MS
      ? undefined
      : `${inOneLine(problem)} (trying again in ${Math.round(wait_ms / 1_000)} s)`,
  // Without a model, the failure is the end of the run, which reports it.
  'model.answered': ({ ok, message, provider }) =>
    ok || provider === 'offline' ? undefined : inOneLine(message ?? `${provider} failed`),
  'budget.warned': ({ what, setting, unit, used, limit }) => {
    const amount = (value: number) => (unit === 'usd' ? formatCost(value) : `${value} tokens`);
    return `${amount(used)} of the ${amount(limit)} for ${what} are used (${setting}).`;
  },
  'breaker.opened': ({ provider, model, rest_ms }) =>
    `${provider} (${escapeText(model)}) failed too often and is paused for ${formatDuration(rest_ms)} (capstan doctor).`,
  'breaker.closed': ({ provider, model }) => `${provider} (${escapeText(model)}) works again.`,
};

const inOneLine = (text: string): string => escapeText(text.replace(/\s*\n\s*/g, ' '));
