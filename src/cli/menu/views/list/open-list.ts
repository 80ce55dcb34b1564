import type { ListFrame } from '../../../lists/columns/list-column.ts';
import { matchesFilter } from '../../../lists/list-table.ts';
import { type Frame, spinnerAt } from '../../frame.ts';
import type { MenuContext } from '../../program/create-context.ts';
import { drawList, type ShownList } from './draw-list.ts';
import type { ListSpec } from './list-spec.ts';
import { type ListState, listAtStart, moveInList } from './list-state.ts';

/** Opens a list as a view. It is reloaded every `refreshMs` and after its own keys; the chosen row stays chosen. */
export function openList<Row>(context: MenuContext, spec: ListSpec<Row>): void {
  let state: ListState = listAtStart;
  let all: readonly Row[] | undefined;
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;

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
    const { rows, chosen } = shown();
    const row = rows[chosen];
    const found = spec.keys.find((one) => one.key === key);
    if (!found || (row === undefined && !found.isForAll)) return;
    try {
      if (found.isForAll) await found.run();
      else if (row !== undefined) await found.run(row);
    } catch (error) {
      context.fail(error);
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
      if (move.kind === 'own') return void perform(move.key);
      state = move.state;
      context.redraw();
    },
    onClose() {
      isOpen = false;
      clearTimeout(timer);
    },
  });
}

const listFrame = (frame: Frame, { io }: MenuContext): ListFrame => ({
  width: frame.width,
  symbols: frame.symbols,
  style: frame.style,
  now: new Date(),
  spinner: spinnerAt(frame),
  home: io.environment['HOME'],
});
