import wrapAnsi from 'wrap-ansi';
import { failBy, type MenuContext } from '../program/create-context.ts';
import { isCtrl, isKey } from '../terminal/key.ts';
import { stepOf } from './list/list-state.ts';

/** More lines than any text has. */
const END = 1e9;

/**
 * The program for one key of a view: what it prints is shown in place of the view, which comes back after Esc, because a
 * view that fills the screen would hide it. What it prints after Esc is dropped.
 */
export function withPage(context: MenuContext, isViewOpen: () => boolean): MenuContext {
  let lines: readonly string[] = [];
  let folded = '';
  let top = 0;
  let isClosed = false;
  const print = (text: string) => {
    if (isClosed) return;
    if (!isViewOpen()) return context.print(text);
    const isFirst = lines.length === 0;
    lines = [...lines, ...text.split('\n')];
    if (isFirst) openView();
    else context.redraw();
  };
  const rowsOf = (columns: number): readonly string[] =>
    wrapAnsi(lines.join('\n').replace(/^\n+|\n+$/g, ''), columns - 1, {
      hard: true,
      trim: false,
    }).split('\n');
  const openView = () =>
    context.openView({
      draw({ columns, rows, style, symbols }) {
        const all = rowsOf(columns);
        const room = Math.max(1, rows - 1);
        top = Math.max(0, Math.min(top, all.length - room));
        const keys = all.length > room ? ['Up and Down scroll', 'Ctrl-O opens all of it'] : [];
        const hint = style.dim(`  ${[...keys, 'Esc back'].join(symbols.separator)}`);
        return { lines: [...all.slice(top, top + room), hint] };
      },
      onKey(input) {
        if (isKey(input, 'esc')) return context.closeView();
        if (isCtrl(input, 'o')) return void context.page(folded || lines.join('\n'));
        top = Math.max(0, top + stepOf(input, context.frame().rows - 2, END));
        context.redraw();
      },
      onClose() {
        isClosed = true;
      },
    });
  return {
    ...context,
    print,
    keepFolded(text) {
      folded = text;
    },
    fail: failBy((text) => print(text.trimEnd()), context.io),
  };
}
