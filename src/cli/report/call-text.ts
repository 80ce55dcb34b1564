import type { EventOf } from '../../contract/event.ts';
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

/** `read src/cart.js 200-400`, `run npm test: exit code 0`, `write a.js: the folder is read-only`. Escaped. */
export function callText(event: EventOf<'tool.answered'>): string {
  const { tool, target, lines = '', ok, message, exit_code } = event;
  // Of a call with invalid arguments, only the tool is known.
  const request =
    target === '' ? shorten(tool, 110) : `${operationWords(tool, target).request} ${lines}`.trim();
  if (!ok) return `${request}: ${shorten(message?.trim() ?? 'failed', MAX_MESSAGE_CHARS)}`;
  return exit_code === undefined ? request : `${request}: exit code ${exit_code}`;
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
