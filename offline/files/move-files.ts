import type { Outcome } from '../context.ts';
import { isFileName } from '../language/lexer.ts';
import { formsOf, type Step } from '../phrases/form.ts';
import { fail } from '../task-error.ts';
import { type Entry, findFile, many, nameOf } from './file-tool.ts';
import { MAX_CHANGED, pathsIn, scopesOf, shownScopes } from './which-files.ts';
import { keepBans } from './write-checked.ts';

/** Forms that copy, rename, move and delete files. */
export const moveForms = formsOf(
  `
named = [all|every|all of] [files?|contents? of] {files:file|glob+} [files]
sources = (<named>|[all|every|both] [{n}] {kind:ending} files <place>)
into = [new] [file] [isInto:(<fold>)] [called|named] ({target:file}|{target:name}) [isInto:(<fold>)]
copy = [i|we] (make|create|save|keep|take|want|need|would like) [me] [another] copyKind:([backup|safety] copy|backup|duplicate) of
copying: Copy {file} to backup/
  (copy|duplicate|backup|back up) <sources> (isName:(as)|to|into|onto|under) <into>
  <copy> <sources> (isName:(as|called|named)|to|in|into|at) <into>
backingUp: Make a copy of {file}
  (<copy>|copyKind:(backup|back up|duplicate)) [file] {files:file}
moving: Rename {file} to new-name.txt
  (rename|change name of) [file] {files:file} (to|into|as) [file] {target:file}
  give [file] {files:file} new name [of] {target:file}
  move <sources> (to|into|in|under) <into>
  put <named> [away] (to|into|in) [new] isInto:(<fold>) [called|named] ({target:file}|{target:name})
deleting: Delete {file}
  (delete|remove|erase|trash|unlink|rm) <named>
deletingUnnamed: Delete {file}
  (delete|remove|erase|trash|unlink) [{n}] [all|every] [other] {ending:words} [{files:file|glob+}]
`,
  {
    copying: (step) => transfer(step, ['copy', 'Copied']),
    moving: (step) => transfer(step, ['move', 'Moved']),
    backingUp: (step) => transfer(step, ['copy', 'Copied'], nameOfCopy(step)),
    ...{ deleting, deletingUnnamed },
  },
);

/** The files of a step. @throws TaskError `NOT_FOUND`; `NOT_SUPPORTED` for a folder; `INPUT_INVALID` for another number. */
async function filesOf(step: Step): Promise<readonly Entry[]> {
  const scopes = scopesOf(step).map((one) => ({ ...one, isFile: one.globs === undefined }));
  const paths = await pathsIn(step, scopes, MAX_CHANGED);
  const count = step.number('n') ?? paths.length;
  if (count !== paths.length)
    fail('INPUT_INVALID', `There are ${paths.length} files, not ${count}: ${shownScopes(scopes)}.`);
  const files: Entry[] = [];
  for (const path of paths) {
    const entry = await findFile(step, path);
    if (entry === undefined) fail('NOT_FOUND', `${path} does not exist; nothing was done.`);
    if (entry.kind !== 'file')
      fail('NOT_SUPPORTED', `${path} is a folder. Name files in it, such as ${path}/*.txt.`);
    files.push({ ...entry, path });
  }
  return files;
}

/** The name of a copy in the same folder: `a-copy.txt` or `a-backup.txt` for `a.txt`. */
function nameOfCopy(step: Step): string {
  const kind = step.word('copyKind') === 'copy' ? 'copy' : 'backup';
  return step.text('files').replace(/(?=\.[^./]*$)|$/, `-${kind}`);
}

/** Whether the target is an existing folder, or is named or written like one. Otherwise it is a file name. */
async function isFolder(step: Step, files: readonly Entry[]): Promise<boolean> {
  const target = step.text('target');
  const isBare = (path = '') => !(nameOf(path).includes('.') || isFileName(path));
  const isWord = step.tokens('target')[0]?.kind === 'word';
  // `to archive/2025`: a file with an extension is not renamed to this.
  const isNew =
    target !== '' && isBare(target) && (isWord || !(step.has('isName') || isBare(files[0]?.path)));
  if (target.endsWith('/') || isNew || files.length > 1) return true;
  if (step.has('isInto') || step.has('kind')) return true;
  return (await findFile(step, target))?.kind === 'folder';
}

async function transfer(
  step: Step,
  [operation, past]: readonly ['copy' | 'move', string],
  named = step.text('target'),
): Promise<Outcome> {
  const files = await filesOf(step);
  const target = named.replace(/\/$/, '');
  const isInto = await isFolder(step, files);
  const targets = files.map(({ path }) => (isInto ? `${target}/${nameOf(path)}` : target));
  const changed = operation === 'move' ? files.map(({ path }) => path) : [];
  await keepBans(step, [...changed, ...targets]);
  for (const [at, to] of targets.entries())
    if (targets.indexOf(to) < at || (await findFile(step, to)))
      fail('INPUT_INVALID', `${to} already exists; nothing was done. Name another file.`);
  const written: { path: string; bytes: number }[] = [];
  for (const [at, { path }] of files.entries()) {
    const to = targets[at] ?? '';
    await step.call('file_io', { operation, path, to }, `${operation} ${path} to ${to}`);
    // The file may have changed while a question was open, so only what is there now is compared.
    const [made, left] = [await findFile(step, to), await findFile(step, path)];
    const isMade = operation === 'move' ? left === undefined : left?.bytes === made?.bytes;
    if (made === undefined || !isMade)
      fail('TOOL_FAILED', `${path} was not found as ${to} afterwards. Check both files.`);
    step.artifact(to);
    written.push({ path: to, bytes: made.bytes });
  }
  const lines = written.map(
    ({ path, bytes }, at) => `${files[at]?.path} to ${path} (${many(bytes, 'byte')})`,
  );
  return { text: `${past} ${lines.join(', ')}; checked.`, data: { written } };
}

async function deleting(step: Step): Promise<Outcome> {
  const files = await filesOf(step);
  const paths = files.map(({ path }) => path);
  await keepBans(step, paths);
  for (const path of paths) {
    await step.call('file_io', { operation: 'delete', path }, `Delete ${path}`);
    if (await findFile(step, path))
      fail('TOOL_FAILED', `${path} still exists after it was deleted. Check its permissions.`);
  }
  return {
    text: `Deleted ${many(files.length, 'file')}: ${paths.join(', ')}.`,
    data: { columns: ['deleted', 'bytes'], rows: files.map(({ path, bytes }) => [path, bytes]) },
  };
}

function deletingUnnamed(step: Step): never {
  const how = 'say "Delete old.txt" or "Delete *.tmp", or run a command in back-ticks';
  fail('NOT_SUPPORTED', `Only named files are deleted, not "${step.text('ending')}": ${how}.`);
}
