import type { ListFrame } from '../../../lists/columns/list-column.ts';
import { listLines } from '../../../lists/list-lines.ts';
import { FIXED_SPACE, namedLines, wrapProse } from '../../draw/wrap-prose.ts';
import type { Drawn, Frame } from '../../frame.ts';
import { drawInput } from '../../input/draw-input.ts';
import { cutEnd, textWidth } from '../../terminal/text-width.ts';
import type { ListKey, ListSpec } from './list-spec.ts';
import type { ListState } from './list-state.ts';

/** A list with its state, ready to draw. */
export interface ShownList<Row> {
  readonly spec: ListSpec<Row>;
  readonly state: ListState;
  /** Undefined: not read yet. */
  readonly all: readonly Row[] | undefined;
  /** Those that match the filter. */
  readonly rows: readonly Row[];
  /** Index in `rows`. */
  readonly chosen: number;
}

/** Width of the mark before each row, in columns. */
const MARK = 2;
const MAX_DETAIL = 4;

/** Draws the list in at most `frame.rows` lines: its title, the rows around the chosen one, and a line that names the keys. */
export function drawList<Row>(shown: ShownList<Row>, frame: Frame, list: ListFrame): Drawn {
  const { spec, state, rows, chosen, all } = shown;
  const { style, symbols, width } = frame;
  const foot = footOf(shown, frame);
  const head = headLine(spec.title(all ?? [], list), frame);
  const row = rows[chosen];
  const detail = row === undefined || state.isHelp ? [] : (spec.detail?.(row) ?? []);
  const about = detail
    .flatMap((line) => wrapProse(line, width, ' '.repeat(MARK)))
    .slice(0, MAX_DETAIL);
  const room = frame.rows - 1 - foot.lines.length - about.length;
  const body = state.isHelp
    ? helpLines(spec.keys, frame)
    : bodyLines(shown, { ...list, width: width - MARK }, room);
  const lines = [style.bold(head.title) + head.keys, ...body.slice(0, Math.max(0, room)), ...about];
  const fits = [...lines, ...foot.lines].slice(-Math.max(1, frame.rows));
  const { cursor } = foot;
  return {
    lines: fits.map((line) => cutEnd(line, width, symbols)),
    cursor: cursor && { x: cursor.x, y: fits.length - foot.lines.length + cursor.y },
  };
}

function headLine(title: string, { width, style, symbols }: Frame) {
  const keys = ['/ filter', '? help', 'Esc back'].join(symbols.separator);
  const gap = width - textWidth(title) - textWidth(keys);
  return { title, keys: gap >= 2 ? `${' '.repeat(gap)}${style.dim(keys)}` : '' };
}

function bodyLines<Row>(
  { spec, rows, chosen, all, state }: ShownList<Row>,
  list: ListFrame,
  room: number,
): readonly string[] {
  if (all === undefined) return ['  …'];
  if (rows.length === 0)
    return [`  ${state.filter.text === '' ? spec.empty : 'Nothing matches the filter.'}`];
  const height = listLines(rows.slice(0, 1), spec.columns(), list)[0]?.length ?? 1;
  const count = Math.max(1, Math.floor(room / height));
  const first = Math.max(0, Math.min(chosen - Math.floor(count / 2), rows.length - count));
  const { style, symbols } = list;
  return listLines(rows, spec.columns(), list)
    .slice(first, first + count)
    .flatMap((lines, index) => {
      const isChosen = first + index === chosen;
      const mark = isChosen ? style.bold(symbols.chosen) : ' ';
      return lines.map((line, at) => `${at === 0 ? mark : ' '} ${line}`);
    });
}

function footOf<Row>({ spec, state, rows, all }: ShownList<Row>, frame: Frame): Drawn {
  const { style, symbols, width } = frame;
  if (state.isFiltering) return drawInput(state.filter, frame, { prompt: '/', maxRows: 1 });
  if (state.isHelp) return { lines: [style.dim('  Any key goes back')] };
  const usable = spec.keys.filter(({ isForAll }) => isForAll === true || rows.length > 0);
  const words = usable.map(({ key, words: does }) => `${keyName(key)} ${does}`);
  const filtered =
    state.filter.text === ''
      ? []
      : [`${rows.length} of ${all?.length ?? 0} shown`, 'Esc shows all'];
  const named = [...filtered, ...words];
  if (named.length === 0) return { lines: [] };
  const parts = named.map((part) => part.replaceAll(' ', FIXED_SPACE));
  const lines = wrapProse(parts.join(symbols.separator), width, '  ');
  return { lines: lines.map((line) => style.dim(line)) };
}

const helpLines = <Row>(keys: readonly ListKey<Row>[], frame: Frame): readonly string[] => {
  const common = [
    ['↑ ↓', 'move; also page up and down, home and end'],
    ['/', 'filter: rows with these words; Enter keeps it, Esc removes it'],
    ['Esc', 'back'],
  ] as const;
  const own = keys.map(({ key, words }) => [keyName(key), words] as const);
  return namedLines([...own, ...common], frame);
};

const keyName = (key: string): string => (key === 'enter' ? 'Enter' : key);
