import type { Conversation, EarlierTurn } from '../../contract/wire/protocol.ts';
import { headAndTail } from '../../tools/files/cut-text.ts';

/** Earlier turns of a session within a limit. */
export interface SessionContext {
  readonly conversation: Conversation;
  /** The turns that are not complete in it, oldest first. */
  readonly older: readonly EarlierTurn[];
}

export interface TurnSummary {
  readonly text: string;
  /** How many of the newest older turns it summarises. */
  readonly count: number;
}

/** An estimate, as for memories. */
const BYTES_PER_TOKEN = 4;

/** The share of the limit for complete turns, if not all of them fit. */
const WHOLE_SHARE = 0.75;

/** A summary is made from turns of up to this many times the limit. */
const SUMMARIZED_SHARE = 4;

/** The largest part of one turn that is summarised, in bytes. */
const SUMMARIZED_TURN_BYTES = 6_000;

/** Of a turn that is cut: the room for each entry of a list. */
const ENTRY_BYTES = 100;

/**
 * Fits earlier turns into a limit: the newest are complete, older ones only counted or summarised. If the newest turn is too
 * long by itself, the middle of its texts is left out.
 *
 * @param turns Oldest first.
 * @param tokens Limit of the conversation as JSON.
 * @param summary Of the newest older turns. It is cut to the limit.
 */
export function sessionContext(
  turns: readonly EarlierTurn[],
  tokens: number,
  summary?: TurnSummary,
): SessionContext {
  const maxBytes =
    tokens * BYTES_PER_TOKEN - bytesOf({ left_out: turns.length, summary: '', turns: [] });
  const all = newestWithin(turns, maxBytes);
  if (all.length === turns.length)
    return { conversation: { left_out: 0, turns: [...turns] }, older: [] };
  const whole = newestWhole(turns, maxBytes * WHOLE_SHARE);
  const older = turns.slice(0, turns.length - whole.length);
  if (!summary) return { conversation: { left_out: older.length, turns: whole }, older };
  const text = shrinkTo(summary.text, maxBytes - bytesOf(whole), (bytes) =>
    headAndTail(summary.text, bytes),
  );
  const left_out = older.length - summary.count;
  return { conversation: { left_out, summary: text, turns: whole }, older };
}

/** The turns to summarise: the newest ones, cut to the size of one model call. */
export const turnsToSummarize = (older: readonly EarlierTurn[], tokens: number): EarlierTurn[] =>
  newestWithin(
    older.map((turn) => cutTurn(turn, SUMMARIZED_TURN_BYTES)),
    tokens * BYTES_PER_TOKEN * SUMMARIZED_SHARE,
  );

/** As many of the newest turns as fit, and at least one. */
function newestWhole(turns: readonly EarlierTurn[], maxBytes: number): EarlierTurn[] {
  const whole = newestWithin(turns, maxBytes);
  return whole.length > 0 ? whole : turns.slice(-1).map((turn) => cutTurn(turn, maxBytes));
}

function newestWithin(turns: readonly EarlierTurn[], maxBytes: number): EarlierTurn[] {
  let left = maxBytes;
  const first = turns.findLastIndex((turn) => {
    left -= bytesOf(turn) + 1;
    return left < 0;
  });
  return turns.slice(first + 1);
}

/** Leaves out the middle of long texts, and the first entries of long lists. */
const cutTurn = (turn: EarlierTurn, maxBytes: number): EarlierTurn =>
  shrinkTo(turn, maxBytes, (bytes) =>
    JSON.parse(
      JSON.stringify(turn, (_name, value: unknown) => {
        if (typeof value === 'string') return headAndTail(value, bytes);
        return Array.isArray(value) ? lastOf(value, Math.ceil(bytes / ENTRY_BYTES)) : value;
      }),
    ),
  );

/** The last entries. Of texts, with a count of the others. */
function lastOf(all: readonly unknown[], count: number): readonly unknown[] {
  const others = all.length - count;
  const isCounted = others > 0 && typeof all[0] === 'string';
  return [...(isCounted ? [`(${others} more)`] : []), ...all.slice(-count)];
}

/** `value` if its JSON has at most `maxBytes`, else the first shorter form that does. */
function shrinkTo<T>(value: T, maxBytes: number, shorten: (bytes: number) => T): T {
  let shown = value;
  for (let bytes = Math.floor(maxBytes); bytesOf(shown) > maxBytes && bytes > 0; ) {
    shown = shorten(bytes);
    bytes = Math.floor(bytes * 0.8);
  }
  return shown;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
