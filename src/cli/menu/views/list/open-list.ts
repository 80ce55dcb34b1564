import type { ListColumn, ListFrame } from '../../../lists/columns/list-column.ts';
import { listLines } from '../../../lists/list-lines.ts';
import { fixed, namedLines, wrapProse } from '../../draw/wrap-prose.ts';
import type { Drawn } from '../../frame.ts';
import { type Frame, spinnerAt } from '../../frame.ts';
import { drawInput } from '../../input/draw-input.ts';
import type { MenuContext } from '../../program/create-context.ts';
import { HOLD_MS } from '../../question/hold-keys.ts';
import { type KeyInput, plainText } from '../../terminal/key.ts';
import { cutEnd, textWidth } from '../../terminal/text-width.ts';
import { withPage } from '../open-page.ts';
import {
  type ListMove,
  type ListState,
  listAtStart,
  moveInList,
  typeFilter,
} from './list-state.ts';

/** Opens a list as a view. It is reloaded every `refreshMs` and after its own keys; the chosen row stays chosen. */
export function openList<Row>(context: MenuContext, spec: ListSpec<Row>): void {
  let state: ListState = listAtStart;
  let all: readonly Row[] | undefined;
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  const hold = holdInList();

  const shown = (): ShownList<Row> => {
    const columns = spec.columns();
    const rows = (all ?? []).filter((row) => matchesFilter(row, columns, state.filter.text));
    const keys = rows.map(spec.keyOf);
    return { spec, state, all, rows, chosen: Math.max(0, keys.indexOf(state.chosen ?? '')) };
  };
  const read = async () => {
    if (isReading) return;
    isReading = true;
    clearTimeout(timer);
    try {
      all = await spec.load();
    } catch (error) {
      all ??= [];
      if (isOpen) context.fail(error);
    }
    isReading = false;
    if (!isOpen) return;
    if (spec.refreshMs !== undefined) timer = setTimeout(read, spec.refreshMs);
    context.redraw();
  };
  const perform = async (key: string) => {
    const page = withPage(context, () => isOpen);
    const { rows, chosen } = shown();
    const row = rows[chosen];
    const found = spec.keys.find((one) => one.key === key);
    if (!found || (row === undefined && !found.isForAll)) return;
    try {
      if (found.isForAll) await found.run();
      else if (row !== undefined) await found.run(row, page);
    } catch (error) {
      page.fail(error);
    }
    if (isOpen) await read();
  };

  void read();
  context.openView({
    isLive: spec.refreshMs !== undefined,
    draw: (frame) => drawList(shown(), frame, listFrame(frame, context)),
    onKey(input) {
      const { rows } = shown();
      const page = Math.max(1, context.frame().rows - 4);
      const move = moveInList(state, input, { keys: rows.map(spec.keyOf), page });
      if (move.kind === 'close') return context.closeView();
      const own = spec.keys.find(({ key }) => move.kind === 'own' && key === move.key);
      hold.onKey(input, own?.isHeld, () => own && void perform(own.key));
      if (!own) state = stateAfter(move, state, input, spec.keys);
      context.redraw();
    },
    onClose() {
      isOpen = false;
      clearTimeout(timer);
      hold.clear();
    },
  });
}

/** Whether a row contains every word of a filter, in any column; capitals do not matter. */
function matchesFilter<Row>(
  row: Row,
  columns: readonly ListColumn<Row>[],
  filter: string,
): boolean {
  const text = columns.map(({ value }) => value?.(row) ?? '').join('\n');
  const words = filter.toLowerCase().split(/\s+/);
  return words.every((word) => text.toLowerCase().includes(word));
}

/** Delays a key that may spend, which counts only if it belongs to no word. */
function holdInList() {
  const none = { text: '', ms: Number.NEGATIVE_INFINITY, isInWord: false };
  let last = none;
  let timer: NodeJS.Timeout | undefined;
  return {
    onKey(input: KeyInput, isHeld: boolean | undefined, act: () => void): void {
      clearTimeout(timer);
      const text = plainText(input);
      const ms = performance.now();
      // The same key twice is impatience, no word.
      const isInWord = ms - last.ms < HOLD_MS && (last.isInWord || text !== last.text);
      last = text === undefined ? none : { text, ms, isInWord };
      if (!isHeld) act();
      else if (!isInWord) timer = setTimeout(act, HOLD_MS);
    },
    clear: () => clearTimeout(timer),
  };
}

function stateAfter<Row>(
  move: Exclude<ListMove, { kind: 'close' }>,
  state: ListState,
  input: KeyInput,
  keys: readonly ListKey<Row>[],
): ListState {
  if (move.kind === 'state') return move.state;
  return isTypeable(keys) ? typeFilter({ ...state, isFiltering: true }, input) : state;
}

/** Whether typing a letter filters the list: only in lists without letter keys. */
const isTypeable = (keys: readonly { readonly key: string }[]): boolean =>
  keys.every(({ key }) => !/^[a-z]$/.test(key));

const listFrame = (frame: Frame, { io }: MenuContext): ListFrame => ({
  width: frame.width,
  symbols: frame.symbols,
  style: frame.style,
  now: new Date(),
  spinner: spinnerAt(frame),
  home: io.environment['HOME'],
});

/** A list with its state, ready to draw. */
interface ShownList<Row> {
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
function drawList<Row>(shown: ShownList<Row>, frame: Frame, list: ListFrame): Drawn {
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
  const parts = named.map(fixed);
  const lines = wrapProse(parts.join(symbols.separator), width, '  ');
  return { lines: lines.map((line) => style.dim(line)) };
}

const helpLines = <Row>(keys: readonly ListKey<Row>[], frame: Frame): readonly string[] => {
  const common = [
    ['↑ ↓', 'move; also page up and down, home and end'],
    [
      isTypeable(keys) ? '/ letters' : '/',
      'filter: rows with these words; Enter keeps it, Esc removes it',
    ],
    ['Esc', 'back'],
  ] as const;
  const own = keys.map(({ key, words }) => [keyName(key), words] as const);
  return namedLines([...own, ...common], frame);
};

const keyName = (key: string): string => (key === 'enter' ? 'Enter' : key);

/** The content and the keys of a list. */
interface ListSpec<Row> {
  /** `Approvals · 3 wait`; the text is escaped. */
  readonly title: (rows: readonly Row[], frame: ListFrame) => string;
  readonly columns: () => readonly ListColumn<Row>[];
  /** Identifies a row. */
  readonly keyOf: (row: Row) => string;
  readonly load: () => Promise<readonly Row[]>;
  /** Shown if there are no rows. */
  readonly empty: string;
  /** In display order. */
  readonly keys: readonly ListKey<Row>[];
  /** Lines below the rows about the chosen one, escaped. */
  readonly detail?: (row: Row) => readonly string[];
  /** How often the rows are read again, in milliseconds. Default: only after a key of the list. */
  readonly refreshMs?: number;
}

type ListKey<Row> = {
  /** `enter`, or the character that is typed. */
  readonly key: string;
  /** Its action, shown after its name: `open`, `follow`. */
  readonly words: string;
  /** It may spend, so it counts only if it belongs to no word. */
  readonly isHeld?: true;
} & (
  | {
      readonly isForAll?: false;
      /** @param page The program; what it prints is shown in place of the list. */
      run(row: Row, page: MenuContext): void | Promise<void>;
    }
  /** It works without rows too. */
  | { readonly isForAll: true; run(): void | Promise<void> }
);
