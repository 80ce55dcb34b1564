/** The lines that were typed in this folder, and the one that is shown. */
export interface PromptHistory {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** The entry that is shown; `entries.length`: the line that is being typed. */
  readonly index: number;
  /** The line that was being typed before the first ↑. */
  readonly draft: string;
}

/** A history that shows the line being typed. */
export const historyOf = (entries: readonly string[]): PromptHistory => ({
  entries,
  index: entries.length,
  draft: '',
});

/** Adds the line, unless it repeats the newest entry or begins with a space, and returns to the line being typed. */
export const withEntry = ({ entries }: PromptHistory, line: string): PromptHistory =>
  historyOf(/^(?:\s|$)/.test(line) || entries.at(-1) === line ? entries : [...entries, line]);

/**
 * Moves to an older (`-1`, ↑) or newer (`1`, ↓) entry.
 *
 * @param text Current text of the line.
 * @returns The history and the text to show; undefined if there is no entry in this direction.
 */
export function step(
  history: PromptHistory,
  by: -1 | 1,
  text: string,
): { readonly history: PromptHistory; readonly text: string } | undefined {
  const { entries, index } = history;
  const next = index + by;
  if (next < 0 || next > entries.length) return undefined;
  const draft = index === entries.length ? text : history.draft;
  return { history: { entries, index: next, draft }, text: entries[next] ?? draft };
}

/** The newest entry before `before` that contains the words, ignoring case; undefined if there is none. */
export function findEntry(
  { entries }: Pick<PromptHistory, 'entries'>,
  words: string,
  before = entries.length,
): number | undefined {
  const wanted = words.toLowerCase();
  for (let index = before - 1; index >= 0; index -= 1) {
    if (entries[index]?.toLowerCase().includes(wanted)) return index;
  }
  return undefined;
}
