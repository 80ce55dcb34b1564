import { stripVTControlCharacters } from 'node:util';
import type { EventOf } from '../../../contract/event.ts';
import type { Redactor } from '../../../policy/secrets/redact.ts';
import type { BrokerParts } from '../parts.ts';
import type { ToolOutcome } from './tool-call.ts';

/** Lines of the output of a failed command that its event contains, and characters of each. */
const MAX_LINES = 3;
const MAX_LINE_CHARS = 200;

type CommandEnd = Pick<EventOf<'tool.answered'>, 'exit_code' | 'signal' | 'output_end'>;

/** In which isolation a process ran, and how it ended. */
export function processEnd(
  { ok, result }: ToolOutcome,
  { isolation: level, isolationReason: reason, redactor }: BrokerParts,
): CommandEnd & { readonly isolation: string } {
  const isolation = reason === undefined ? level : `${level}: ${reason}`;
  return { isolation, ...(ok && commandEnd(result, redactor)) };
}

/** How a command ended, from its result, and the last lines that a failed one printed: those of stderr are the last. */
export function commandEnd(result: unknown, redactor: Redactor): CommandEnd {
  const { exit_code, signal, stdout, stderr } = (result ?? {}) as Readonly<Record<string, unknown>>;
  const end = {
    ...(typeof exit_code === 'number' && { exit_code }),
    ...(typeof signal === 'string' && { signal }),
  };
  if (end.signal === undefined && !end.exit_code) return end;
  const lines = [stdout, stderr].flatMap((text) =>
    // Secrets are removed before it is cut. A progress meter ends its lines with returns.
    typeof text === 'string'
      ? redactor
          .redact(stripVTControlCharacters(text))
          .trimEnd()
          .split(/\r\n?|\n/)
      : [],
  );
  const last = lines.filter((line) => line.trim() !== '').slice(-MAX_LINES);
  return { ...end, output_end: last.map((line) => line.slice(0, MAX_LINE_CHARS)) };
}
