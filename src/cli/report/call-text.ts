import type { EventOf } from '../../contract/event.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { counted } from '../text/format.ts';
import { shorten } from '../text/shorten.ts';
import { operationWords } from './operation-words.ts';

/** Calls of a step that are shown. */
export const MAX_CALLS = 30;
/** Changes of a step that are shown because no question showed them. Calls of other kinds do not count. */
export const MAX_CHANGES = 30;
/** Lines that are shown of the difference of one file. */
export const MAX_DIFF_LINES = 20;

const MAX_MESSAGE_CHARS = 300;

/** `12 more changes that no question showed` */
export const unshownChanges = (count: number): string =>
  `${counted(count, 'more change')} that no question showed`;

/** `read src/cart.js 200-400` and ``; `run npm test` and `: exit code 0`; `write a.js` and `: the folder is read-only`. Escaped. */
export function callWords(event: EventOf<'tool.answered'>) {
  const { tool, target, lines = '' } = event;
  // Of a call with invalid arguments, only the tool is known.
  const request =
    target === '' ? shorten(tool, 110) : `${operationWords(tool, target).request} ${lines}`.trim();
  const result = resultWords(event);
  return { request, result: result === '' ? '' : `: ${result}` };
}

function resultWords({ ok, message, exit_code, signal }: EventOf<'tool.answered'>): string {
  if (!ok) return shorten(splitOutput(message ?? 'failed').words.trim(), MAX_MESSAGE_CHARS);
  if (signal !== undefined) return `ended by ${escapeText(signal)}`;
  return exit_code === undefined ? '' : `exit code ${exit_code}`;
}

/** An error message, and the output of the stopped command at its end. */
function splitOutput(message: string) {
  const [words = '', ...output] = message.split(/(?<=\boutput:)\n/);
  return { words, output: output.join('\n') };
}

const MAX_OUTPUT_LINES = 3;
const MAX_LINE_CHARS = 200;

/** The last lines that a failed or stopped command printed, escaped. */
export function outputEnd({ message, output_end }: EventOf<'tool.answered'>): readonly string[] {
  const { output } = splitOutput(message ?? '');
  const lines = output_end ?? output.split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(-MAX_OUTPUT_LINES)
    .map((line) => escapeText(line.replaceAll('\t', '  ').slice(0, MAX_LINE_CHARS)));
}

/** The head of a difference. */
const NEW_FILE = /^(?:Index: .*\n)?(?:=+\n)?--- \/dev\/null/;

/** The differences of files that a run changes without a question that showed them. Files that it created are its own. */
export function createUnseenDiffs() {
  const own = new Set<string>();
  const seen = new Set<string>();
  return {
    /** A person saw the question about the intent. */
    onDecided({ by, intent_id }: EventOf<'approval.decided'>): void {
      if (by !== 'approve_mode' && !by.startsWith('remembered:')) seen.add(intent_id);
    },
    /** Whether a question showed it. */
    wasSeen: ({ intent_id }: EventOf<'file.written'>): boolean => seen.has(intent_id),
    /** Undefined if there is none to show. */
    diffOf({ path, diff, intent_id }: EventOf<'file.written'>): string | undefined {
      if (diff && NEW_FILE.test(diff)) own.add(path);
      return diff && !own.has(path) && !seen.has(intent_id) ? diff : undefined;
    },
  };
}
