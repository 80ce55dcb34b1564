import type { CapstanEvent } from '../../../contract/event.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { shorten } from '../../text/shorten.ts';

/** An event with all its fields, as the log level `debug` shows it: `capsule.started {"subtask_id":"s1","pid":4711,…}` */
export function detailLine({ type, at: _at, run_id: _run, ...rest }: CapstanEvent): string {
  return `  ${type} ${shorten(escapeText(JSON.stringify(rest)), 400)}`;
}
