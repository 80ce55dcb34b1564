import { namedLines } from '../draw/wrap-prose.ts';
import type { MenuContext } from '../program/create-context.ts';

/** Shows names and texts until the next key. What does not fit on the screen is printed. */
export function openText(
  { frame, print, openView }: Pick<MenuContext, 'frame' | 'print' | 'openView'>,
  rows: readonly (readonly [string, string])[],
): void {
  const lines = namedLines(rows, frame());
  if (lines.length >= frame().rows) print(lines.join('\n'));
  else
    openView({
      draw: (now) => ({ lines: [...namedLines(rows, now), now.style.dim('  Any key goes back')] }),
      onKey: () => undefined,
      isPassing: true,
    });
}
