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

/** The longest task, and the longest answer, of a shortened turn, in characters. */
const SHORT_CHARS = 300;

/** A summary is made from turns of up to this many times the limit. */
const SUMMARIZED_SHARE = 4;

/** The largest part of one turn that is summarised, in bytes. */
const SUMMARIZED_TURN_BYTES = 6_000;

/**
 * Fits earlier turns into a limit: the newest are complete, older ones shortened, the oldest only counted. If the newest turn is
 * too long by itself, its middle is left out.
 *
 * @param turns Oldest first.
 * @param tokens Limit of the conversation as JSON.
 * @param summary Shown instead of the shortened turns. It is cut to the limit.
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
  const restBytes = maxBytes - bytesOf(whole);
  if (summary) {
    const text = shrinkTo(summary.text, restBytes, (bytes) => headAndTail(summary.text, bytes));
    const left_out = older.length - summary.count;
    return { conversation: { left_out, summary: text, turns: whole }, older };
  }
  const shortened = newestWithin(older.map(shortTurn), restBytes);
  const left_out = older.length - shortened.length;
  return { conversation: { left_out, turns: [...shortened, ...whole] }, older };
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

const cutTurn = (turn: EarlierTurn, maxBytes: number): EarlierTurn =>
  shrinkTo(turn, maxBytes, (bytes) =>
    withTexts(turn, (text, share) => headAndTail(text, Math.floor(bytes * share)), bytes / 8),
  );

const shortTurn = (turn: EarlierTurn): EarlierTurn => withTexts(turn, firstSentences, SHORT_CHARS);

/** @param cut Shortens a text that may take this share of the turn. */
function withTexts(
  turn: EarlierTurn,
  cut: (text: string, share: number) => string,
  pathBytes: number,
): EarlierTurn {
  const { task, said_while_it_ran: said, attachments, answer } = turn;
  return {
    ...turn,
    task: cut(task, 1 / 4),
    ...(said && {
      said_while_it_ran: newestTexts(said, (text) => cut(text, 1 / 4), 4 * pathBytes),
    }),
    ...(attachments && {
      attachments: attachments.map(({ name, text }) => ({
        name,
        text: cut(text, 1 / 2 / attachments.length),
      })),
    }),
    answer: answer && cut(answer, 1 / 2),
    ...shortPaths(turn, pathBytes),
  };
}

const newestTexts = (texts: readonly string[], cut: (text: string) => string, maxBytes: number) =>
  firstWithin(texts.map(cut).reverse(), maxBytes).reverse();

const shortPaths = ({ files, undone_by_person: undone }: EarlierTurn, maxBytes: number) => ({
  files: firstPaths(files, maxBytes),
  ...(undone && { undone_by_person: firstPaths(undone, maxBytes) }),
});

/** The whole sentences or lines at the beginning of a text; a part of the first if it is too long. */
function firstSentences(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= SHORT_CHARS) return trimmed;
  const start = trimmed.slice(0, SHORT_CHARS);
  const end = [...start.matchAll(/[.!?](?=\s)|[。！？\n]/g)].at(-1)?.index ?? start.length;
  return `${start.slice(0, end + 1).trimEnd()} …`.toWellFormed();
}

/** The first paths, and a count of the others. */
function firstPaths(paths: readonly string[], maxBytes: number): string[] {
  const first = firstWithin(paths, maxBytes);
  const others = paths.length - first.length;
  return others === 0 ? first : [...first, `(${others} more)`];
}

function firstWithin(texts: readonly string[], maxBytes: number): string[] {
  let left = maxBytes;
  const end = texts.findIndex((text) => {
    left -= bytesOf(text);
    return left < 0;
  });
  return texts.slice(0, end === -1 ? texts.length : end);
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
