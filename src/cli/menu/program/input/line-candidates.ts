import { matchingPaths } from '../../input/completion.ts';
import type { Candidates } from '../../input/input-line.ts';
import { slashCommands } from '../../slash-commands.ts';
import type { Menu } from '../menu.ts';

/** Maximum number of path completions. */
const MAX_PATHS = 50;

/** The completions of `/` and `@`. Files are listed when the first `@` is typed. */
export const candidatesOf =
  (menu: Pick<Menu, 'state'>): Candidates =>
  ({ kind, word }) => {
    if (kind === 'file') return matchingPaths(menu.state.files ?? [], word, MAX_PATHS);
    const names = slashCommands.map(({ name }) => name);
    return names.filter((name) => name.startsWith(word));
  };

/** Lists the files for `@`, once for each typed line. */
export async function readFiles({ state, screen, context }: Menu): Promise<void> {
  if (state.files) return;
  state.files = [];
  state.files = await context.capstan.typedLines.paths(context.workspace).catch(() => []);
  screen.loop.redrawNow();
}
