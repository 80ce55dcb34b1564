import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { escapeText } from '../../../../contract/text/escape-text.ts';
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
  state.files = await listFiles(context.workspace);
  screen.loop.redrawNow();
}

const MAX_ENTRIES = 20_000;
/** Maximum time for listing, in milliseconds. */
const MAX_MS = 500;

interface Folder {
  /** Relative, with a slash at its end; empty for the folder itself. */
  readonly path: string;
  /** The rules of its ancestors, each relative to a folder. */
  readonly rules: readonly { readonly from: string; readonly rules: Ignore }[];
}

/**
 * Lists the files and folders below a folder that `.gitignore` does not exclude, as relative paths, nearest first.
 * Folders end with a slash. Names with invisible characters are left out.
 */
async function listFiles(root: string): Promise<readonly string[]> {
  const deadline = performance.now() + MAX_MS;
  const found: string[] = [];
  const folders: Folder[] = [{ path: '', rules: [] }];
  for (const folder of folders) {
    if (found.length >= MAX_ENTRIES || performance.now() > deadline) break;
    const { paths, rules } = await readFolder(root, folder);
    found.push(...paths);
    for (const path of paths) if (path.endsWith('/')) folders.push({ path, rules });
  }
  return found.slice(0, MAX_ENTRIES);
}

async function readFolder(root: string, folder: Folder) {
  const entries = await readdir(join(root, folder.path), { withFileTypes: true }).catch(() => []);
  const own = entries.some(({ name }) => name === '.gitignore')
    ? [{ from: folder.path, rules: await rulesIn(join(root, folder.path)) }]
    : [];
  const rules = [...folder.rules, ...own];
  const paths = entries
    .filter(({ name }) => !alwaysIgnored.has(name))
    .map((entry) => `${folder.path}${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .filter((path) => escapeText(path) === path && !isIgnored(path, rules));
  return { paths, rules };
}

const alwaysIgnored: ReadonlySet<string> = new Set(['.git', 'node_modules']);

const rulesIn = async (folder: string): Promise<Ignore> =>
  ignore().add(await readFile(join(folder, '.gitignore'), 'utf8').catch(() => ''));

const isIgnored = (path: string, rules: Folder['rules']): boolean =>
  rules.some(({ from, rules: own }) => own.ignores(path.slice(from.length)));
