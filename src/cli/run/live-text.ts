import type { ModelDelta } from '../../contract/event.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Style } from '../style.ts';

/** The end of the text that a model is writing, in one dim line that any other output replaces. */
export interface LiveText {
  update(delta: ModelDelta): void;
  /** The call has ended: its line goes. */
  end(intentId: string): void;
  /** Wraps a writer: the line is erased before it writes. */
  beside(write: (text: string) => void): (text: string) => void;
}

export interface LiveTextOptions {
  readonly style: Style;
  /** Whether a line may be drawn now. */
  readonly isShown: () => boolean;
  /** Width of the terminal in columns. Default: 80. */
  readonly columns?: () => number | undefined;
}

/** Most that is kept of a text, in characters: more than a line shows. */
const KEPT_CHARS = 2_000;
const ERASE_LINE = '\r\u001b[2K';

export function createLiveText(
  write: (text: string) => void,
  { style, isShown, columns = () => undefined }: LiveTextOptions,
): LiveText {
  const texts = new Map<string, { readonly chars: number; readonly end: string }>();
  let drawn: string | undefined;

  const erase = () => {
    if (drawn !== undefined) write(ERASE_LINE);
    drawn = undefined;
  };
  return {
    update({ intent_id: id, subtask_id, from, text }) {
      const before = texts.get(id);
      const start = from > 0 && before?.chars === from ? before.end : '';
      const end = `${start}${text}`.slice(-KEPT_CHARS);
      texts.set(id, { chars: from + text.length, end });
      if (!isShown()) return erase();
      const head = `  ${escapeText(subtask_id)} `;
      const room = (columns() ?? 80) - head.length - 1;
      write(`${ERASE_LINE}${style.dim(`${head}${lastColumns(end, room)}`)}`);
      drawn = id;
    },
    end(intentId) {
      texts.delete(intentId);
      if (drawn === intentId) erase();
    },
    beside: (other) => (text) => {
      erase();
      other(text);
    },
  };
}

/** The end of a text in one line of so many columns; what is not ASCII counts as two. */
function lastColumns(text: string, columns: number): string {
  const line = [...escapeText(text.replace(/\s+/g, ' ').trimStart())];
  let left = columns;
  let start = line.length;
  while (start > 0) {
    left -= (line[start - 1] ?? '') > '~' ? 2 : 1;
    if (left < 0) break;
    start -= 1;
  }
  return line.slice(start).join('');
}
