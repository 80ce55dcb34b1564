import type { HandlerContext, Outcome } from '../context.ts';
import { type Filled, form } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import { MAX_CHANGED, matching } from './edit-text.ts';
import { type Entry, findFile, nameOf } from './file-tool.ts';
import { keepBans } from './keep-bans.ts';
import { many } from './list-files.ts';
import { pathsOf, shownWanted, wantedOf } from './wanted-files.ts';

const folder =
  '[new] [folder|directory] [called|named] ({target:file}|{target:name}) [folder|directory]';
const sources = '[all|every|all of] [files|file|contents? of] {files:file|glob+} [files]';

/** Forms that copy, rename, move and delete files. */
export const moveForms = [
  form(
    (filled, context) => transfer('copy', filled, context),
    'Copy {file} to backup/',
    `(copy|duplicate|backup|back up) ${sources} (to|as|into|onto|under) [file] ${folder}`,
    '(make|create) (copy|backup|duplicate) of {files:file} (as|to|called|named|in|at) {target:file}',
  ),
  form(
    (filled, context) => transfer('move', filled, context),
    'Rename {file} to new-name.txt',
    '(rename|change name of) [file] {files:file} (to|into|as) [file] {target:file}',
    `move ${sources} (to|into|in|under) ${folder}`,
    'move [all|every|both] [{n}] {kind:ending} files (to|into|in|under) [new] [folder|directory] [called|named] ({target:file}|{target:name}) [folder|directory]',
  ),
  form(deleting, 'Delete {file}', `(delete|remove|erase|trash|unlink|rm) ${sources}`),
  form(
    deletingUnnamed,
    'Delete {file}',
    '(delete|remove|erase|trash|unlink) [{n}] [all|every] [other] {ending:words} [{files:file|glob+}]',
  ),
];

/** The files of a form, with patterns expanded. */
async function sourcesOf(context: HandlerContext, filled: Filled): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  if (filled.text('kind') !== undefined) return filesOfKind(context, filled);
  for (const { kind, text } of filled.tokens('files')) {
    if (kind === 'file') entries.push(await fileNamed(context, text));
    if (kind !== 'glob') continue;
    for (const path of await matching(context, text)) entries.push(await fileNamed(context, path));
  }
  return entries;
}

/** @throws TaskError `NOT_FOUND`; `INPUT_INVALID` if the number of files differs from the task. */
async function filesOfKind(context: HandlerContext, filled: Filled): Promise<readonly Entry[]> {
  const wanted = wantedOf(filled, false);
  const paths = await pathsOf(context, wanted);
  const count = filled.number('n');
  if (count !== undefined && count !== paths.length)
    throw new TaskError(
      'INPUT_INVALID',
      `There are ${paths.length} files ${shownWanted(wanted)}, not ${count}: ${paths.slice(0, 10).join(', ')}; nothing was done.`,
    );
  if (paths.length > MAX_CHANGED)
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${paths.length} files match; at most ${MAX_CHANGED} are changed in one step.`,
    );
  return Promise.all(paths.map((path) => fileNamed(context, path)));
}

/** @throws TaskError `NOT_FOUND`; `NOT_SUPPORTED` for a folder. */
async function fileNamed(context: HandlerContext, path: string): Promise<Entry> {
  const entry = await findFile(context, path.replace(/\/$/, ''));
  if (entry === undefined)
    throw new TaskError('NOT_FOUND', `${path} does not exist; nothing was done.`);
  if (entry.kind === 'file') return { ...entry, path };
  throw new TaskError(
    'NOT_SUPPORTED',
    `${path} is a folder; without a language model only files are copied, moved and deleted. Name its files, such as ${path.replace(/\/$/, '')}/*.txt.`,
  );
}

/** If the target exists as a folder, or is written like one, the files go into it. Else it is the new name. */
async function targetOf(
  context: HandlerContext,
  filled: Filled,
  path: string,
  count: number,
): Promise<string> {
  const target = filled.text('target') ?? '';
  const isFolder =
    target.endsWith('/') ||
    count > 1 ||
    filled.text('kind') !== undefined ||
    (await findFile(context, target))?.kind === 'folder' ||
    (filled.tokens('target')[0]?.kind === 'word' && !target.includes('.'));
  return isFolder ? `${target.replace(/\/$/, '')}/${nameOf(path)}` : target;
}

async function transfer(
  operation: 'copy' | 'move',
  filled: Filled,
  context: HandlerContext,
): Promise<Outcome> {
  const sources = await sourcesOf(context, filled);
  const pairs: { readonly from: Entry; readonly to: string }[] = [];
  for (const from of sources) {
    const to = await targetOf(context, filled, from.path, sources.length);
    if (to === from.path)
      throw new TaskError('INPUT_INVALID', `${from.path} has this name already; nothing was done.`);
    if (operation === 'move') await keepBans(context, filled.instruction, from.path);
    await keepBans(context, filled.instruction, to);
    await assertFree(context, to);
    pairs.push({ from, to });
  }
  const past = operation === 'copy' ? 'Copied' : 'Moved';
  for (const { from, to } of pairs) {
    const args = { operation, path: from.path, to };
    await context.call(
      'file_io',
      args,
      `${operation === 'copy' ? 'Copy' : 'Move'} ${from.path} to ${to}`,
    );
    await assertMoved(context, operation, { from, to });
    context.artifact(to);
  }
  const lines = pairs.map(({ from, to }) => `${from.path} to ${to} (${from.bytes} bytes)`);
  return {
    text: `${past} ${lines.join(', ')}; checked.`,
    data: { written: pairs.map(({ from, to }) => ({ path: to, bytes: from.bytes })) },
  };
}

async function assertFree(context: HandlerContext, path: string): Promise<void> {
  if ((await findFile(context, path)) === undefined) return;
  throw new TaskError(
    'INPUT_INVALID',
    `${path} exists already; nothing was done. Name another file, or delete ${path} first.`,
  );
}

async function assertMoved(
  context: HandlerContext,
  operation: 'copy' | 'move',
  { from, to }: { readonly from: Entry; readonly to: string },
): Promise<void> {
  const made = await findFile(context, to);
  const left = operation === 'move' ? await findFile(context, from.path) : undefined;
  if (made?.bytes === from.bytes && left === undefined) return;
  throw new TaskError('TOOL_FAILED', `${from.path} could not be found as ${to} afterwards.`);
}

async function deleting(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const files = await sourcesOf(context, filled);
  for (const { path } of files) await keepBans(context, filled.instruction, path);
  for (const { path } of files) {
    await context.call('file_io', { operation: 'delete', path }, `Delete ${path}`);
    if ((await findFile(context, path)) !== undefined)
      throw new TaskError('TOOL_FAILED', `${path} is still there after it was deleted.`);
  }
  const rows = files.map(({ path, bytes }) => [path, bytes]);
  return {
    text: `Deleted ${many(files.length, 'file')}: ${files.map(({ path }) => path).join(', ')}.`,
    data: { columns: ['deleted', 'bytes'], rows },
  };
}

function deletingUnnamed(filled: Filled): never {
  throw new TaskError(
    'NOT_SUPPORTED',
    `Without a language model, only files that are named are deleted, not "${filled.text('ending')}": say "Delete old.txt" or "Delete *.tmp", or run a command in back-ticks.`,
  );
}
