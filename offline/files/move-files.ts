import type { HandlerContext, Outcome } from '../context.ts';
import { type Act, type Filled, form } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import { type Entry, findFile, nameOf } from './file-tool.ts';
import { many } from './listed.ts';
import { MAX_CHANGED, pathsIn, scopesOf, shownScopes } from './which-files.ts';
import { keepBans } from './write-checked.ts';

const into =
  '[new] [file] [folder|directory] [called|named] ({target:file}|{target:name}) [folder|directory]';
const sources =
  '([all|every|all of] [files|file|contents? of] {files:file|glob+} [files]|[all|every|both] [{n}] {kind:ending} files)';

/** Forms that copy, rename, move and delete files. */
export const moveForms = [
  form(
    transfer('copy', 'Copied'),
    'Copy {file} to backup/',
    `(copy|duplicate|backup|back up) ${sources} (to|as|into|onto|under) ${into}`,
    '(make|create) (copy|backup|duplicate) of {files:file} (as|to|called|named|in|at) {target:file}',
  ),
  form(
    transfer('move', 'Moved'),
    'Rename {file} to new-name.txt',
    '(rename|change name of) [file] {files:file} (to|into|as) [file] {target:file}',
    `move ${sources} (to|into|in|under) ${into}`,
  ),
  form(
    deleting,
    'Delete {file}',
    '(delete|remove|erase|trash|unlink|rm) [all|every|all of] [files|file|contents? of] {files:file|glob+} [files]',
  ),
  form(
    deletingUnnamed,
    'Delete {file}',
    '(delete|remove|erase|trash|unlink) [{n}] [all|every] [other] {ending:words} [{files:file|glob+}]',
  ),
];

/**
 * The files of a form.
 *
 * @throws TaskError `NOT_FOUND`; `NOT_SUPPORTED` for a folder; `INPUT_INVALID` if their number differs from the task.
 */
async function filesOf(context: HandlerContext, filled: Filled): Promise<readonly Entry[]> {
  const scopes = scopesOf(filled);
  const named = scopes.map((scope) => ({ ...scope, isFile: scope.globs === undefined }));
  const paths = await pathsIn(context, named, MAX_CHANGED);
  const count = filled.number('n');
  if (count !== undefined && count !== paths.length)
    throw new TaskError(
      'INPUT_INVALID',
      `There are ${paths.length} files, not ${count}: ${shownScopes(scopes)}; nothing was done.`,
    );
  return Promise.all(paths.map((path) => fileNamed(context, path)));
}

async function fileNamed(context: HandlerContext, path: string): Promise<Entry> {
  const entry = await findFile(context, path);
  if (entry?.kind === 'file') return { ...entry, path };
  if (entry === undefined)
    throw new TaskError('NOT_FOUND', `${path} does not exist; nothing was done.`);
  throw new TaskError(
    'NOT_SUPPORTED',
    `${path} is a folder; without a language model only files are copied, moved and deleted. Name its files, such as ${path}/*.txt.`,
  );
}

/** Whether the target exists as a folder, or is written like one. Else it is the new name. */
async function isFolder(filled: Filled, context: HandlerContext, count: number): Promise<boolean> {
  const [target] = filled.tokens('target');
  if (target === undefined || count > 1 || filled.has('kind')) return true;
  if (target.text.endsWith('/') || (target.kind === 'word' && !target.text.includes('.')))
    return true;
  return (await findFile(context, target.text))?.kind === 'folder';
}

function transfer(operation: 'copy' | 'move', past: string): Act {
  return async (filled, context) => {
    const files = await filesOf(context, filled);
    const target = (filled.text('target') ?? '').replace(/\/$/, '');
    const isInto = await isFolder(filled, context, files.length);
    const pairs = files.map((from) => ({
      from,
      to: isInto ? `${target}/${nameOf(from.path)}` : target,
    }));
    for (const { from, to } of pairs) {
      if (operation === 'move') await keepBans(filled, context, from.path);
      await keepBans(filled, context, to);
      const isTwice = pairs.filter((pair) => pair.to === to).length > 1;
      if (isTwice || (await findFile(context, to)))
        throw new TaskError(
          'INPUT_INVALID',
          `${to} exists already; nothing was done. Name another file, or delete ${to} first.`,
        );
    }
    for (const { from, to } of pairs) {
      const { path, bytes } = from;
      await context.call('file_io', { operation, path, to }, `${past} ${path} to ${to}`);
      const left = operation === 'move' ? await findFile(context, path) : undefined;
      if ((await findFile(context, to))?.bytes !== bytes || left !== undefined)
        throw new TaskError('TOOL_FAILED', `${path} could not be found as ${to} afterwards.`);
      context.artifact(to);
    }
    const lines = pairs.map(({ from, to }) => `${from.path} to ${to} (${from.bytes} bytes)`);
    return {
      text: `${past} ${lines.join(', ')}; checked.`,
      data: { written: pairs.map(({ from, to }) => ({ path: to, bytes: from.bytes })) },
    };
  };
}

async function deleting(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const files = await filesOf(context, filled);
  for (const { path } of files) await keepBans(filled, context, path);
  for (const { path } of files) {
    await context.call('file_io', { operation: 'delete', path }, `Delete ${path}`);
    if ((await findFile(context, path)) !== undefined)
      throw new TaskError('TOOL_FAILED', `${path} is still there after it was deleted.`);
  }
  return {
    text: `Deleted ${many(files.length, 'file')}: ${files.map(({ path }) => path).join(', ')}.`,
    data: { columns: ['deleted', 'bytes'], rows: files.map(({ path, bytes }) => [path, bytes]) },
  };
}

function deletingUnnamed(filled: Filled): never {
  throw new TaskError(
    'NOT_SUPPORTED',
    `Without a language model, only files that are named are deleted, not "${filled.text('ending')}": say "Delete old.txt" or "Delete *.tmp", or run a command in back-ticks.`,
  );
}
