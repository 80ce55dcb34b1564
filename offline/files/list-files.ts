import type { HandlerContext, Outcome } from '../context.ts';
import { type Act, type Filled, form } from '../phrases/form.ts';
import { ask, count, deep, kind, place, show } from '../phrases/fragments.ts';
import { TaskError } from '../task-error.ts';
import { type Entry, findFile, readWhole } from './file-tool.ts';
import { listed, many } from './listed.ts';
import { entriesIn, type Scope, scopeOf, shownPlace, shownScopes } from './which-files.ts';

const names =
  '[(matching|named|called|like|whose name contains|with names containing) {match:glob|quote|word}|[(that|which|whose names?)] (start|starts|starting|begin|begins|beginning) with {start:quote|word}|[(that|which|whose names?)] (end|ends|ending) (in|with) {ending:quote|file|glob|word}]';
const sizes =
  '[((with|and|including|together with|along with) [their|its] [file] sizes? [in bytes]|and how (big|large) (they are|are they))]';
const order =
  '[[sorted|ordered|sort|order] [them] by [their] [file] by:(names?|sizes?)] [way:(largest first|biggest first|smallest first|descending|ascending|in descending order|in ascending order|from largest to smallest|from smallest to largest)]';
const rank = 'rank:(largest|biggest|smallest|heaviest)';
const are = '[are there|are|there are|exist|do i have|do we have|have we got|live]';
const what = `[names of|names] ${kind} files`;
const where = `${place} ${deep}`;

/** Forms that list, count, rank and find files. */
export const listForms = [
  form(
    listing,
    'List all files with their sizes',
    `${ask} ${what} [folders:(and (folders|directories))] ${are} ${names} ${where} ${sizes} ${order}`,
    `${show} {match:glob} [files] ${where} ${sizes} ${order}`,
    `${show} [contents? of] [folder|directory] {folder:file} (folder|directory) ${deep} ${sizes} ${order}`,
    `list [contents? of] {folder:file} ${deep} ${sizes} ${order}`,
    'what is (in|inside) ([this|current|whole|entire] (folder|directory|workspace|project)|here|[folder|directory] {folder:name} [folder|directory])',
  ),
  form(
    folders,
    'List the folders',
    `${ask} (folders|directories|subfolders|subdirectories) ${are} ${where}`,
  ),
  form(
    ranked,
    'Show the 5 largest files',
    `(${ask}|(which|what) (is|are)) ({top:n} ${rank}|${rank} [{top:n}]) ${kind} (isOne:(file)|files) ${where} ${sizes}`,
    `(which|what) ${kind} isOne:(file) (is|has) (${rank}|size ${rank}) ${where}`,
    `(which|what) ${kind} isOne:(file) (in|inside|of) [this|current] (folder|directory|project|workspace) is ${rank}`,
  ),
  form(counting, 'How many files are there?', `${count} ${kind} files ${are} ${names} ${where}`),
  form(
    totalSize,
    'What is the total size of all files?',
    `(what is|show|tell [me]|give [me]|calculate|compute|get) [total|combined] size of [all] ${kind} files ${where}`,
    `how (much space|large|big) (do|are) [all] ${kind} files [take up|take|use|together|in total] ${where}`,
  ),
  form(
    emptyFiles,
    'Find empty files',
    `(${ask}|which are) empty ${kind} files ${are} ${where}`,
    `(which|what|are there) [any] ${kind} files (are|that are) empty ${where}`,
  ),
  form(
    duplicates,
    'Find duplicate files',
    `${show} (duplicates|duplicated|duplicate) [files] ${where}`,
    `(what|which) files [in {folder:file}] are (duplicates|identical|same) [of each other]`,
    `are there [any] duplicate files ${where}`,
  ),
  form(
    sizesOf(false),
    'Does {file} exist?',
    '(does|do|check (that|if|whether)|is there|see (if|whether)) [file] {files:file+} [exists|exist|is there|there]',
  ),
  form(
    sizesOf(true),
    'How big is {file}?',
    'how (big|large) (is|are) [file] {files:file+} [in bytes]',
    '(what is|what are|show|tell me|give me|get) [file] sizes? of [file] {files:file+}',
  ),
];

const rowsOf = (entries: readonly Entry[]) => ({
  columns: ['path', 'bytes'],
  rows: entries.map(({ path, bytes }) => [path, bytes]),
});

const shown = (entries: readonly Entry[]) =>
  entries.map(({ path, kind, bytes }) =>
    kind === 'folder' ? `- ${path}/` : `- ${path} (${bytes} bytes)`,
  );

const byName = (a: Entry, b: Entry) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
const bySize = (a: Entry, b: Entry) => a.bytes - b.bytes || byName(a, b);

const onlyFiles = async (context: HandlerContext, scope: Scope) =>
  (await entriesIn(context, scope)).filter(({ kind }) => kind === 'file');

async function listing(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, false);
  const { path, globs, recursive } = scope;
  const entries = await entriesIn(context, scope);
  const wantsFolders = filled.has('folders') || (globs === undefined && !recursive);
  const files = sorted(
    filled,
    entries.filter(({ kind }) => kind === 'file'),
  );
  const found = wantsFolders ? entries.filter(({ kind }) => kind === 'folder') : [];
  const counted = `${many(files.length, 'file')}${found.length > 0 ? ` and ${many(found.length, 'folder')}` : ''}`;
  const match = globs === undefined ? '' : ` that match ${globs.join(', ')}`;
  const data = { count: files.length, ...rowsOf(files) };
  return listed(`${counted} in ${shownPlace(path)}${match}`, shown([...found, ...files]), data);
}

function sorted(filled: Filled, files: readonly Entry[]): readonly Entry[] {
  const [by = '', way = ''] = ['by', 'way'].map(filled.word);
  const isBySize = by.startsWith('size') || /largest|biggest|smallest/.test(way);
  const isDown =
    /^(?:largest|biggest|from largest)|descending/.test(way) || (isBySize && way === '');
  const order = isBySize ? bySize : byName;
  return files.toSorted((a, b) => (isDown ? order(b, a) : order(a, b)));
}

async function folders(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, false);
  const found = (await entriesIn(context, scope)).filter(({ kind }) => kind === 'folder');
  const rows = found.map(({ path }) => [path]);
  const title = `${many(found.length, 'folder')} in ${shownPlace(scope.path)}`;
  return listed(title, shown(found), { count: found.length, columns: ['path'], rows });
}

async function ranked(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, true);
  const most = filled.number('top') ?? (filled.has('isOne') ? 1 : 10);
  const rank = filled.word('rank') === 'smallest' ? 'smallest' : 'largest';
  const sign = rank === 'smallest' ? 1 : -1;
  const files = (await onlyFiles(context, scope))
    .toSorted((a, b) => sign * (a.bytes - b.bytes) || byName(a, b))
    .slice(0, most);
  if (files.length === 0)
    throw new TaskError('NOT_FOUND', `No file was found: ${shownScopes([scope])}.`);
  const name = `${rank} ${files.length === 1 ? 'file' : `${files.length} files`}`;
  const title = `The ${name} in ${shownPlace(scope.path)} and the folders below it (files that .gitignore names are left out)`;
  return listed(title, shown(files), rowsOf(files));
}

async function counting(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, false);
  const { path, globs, recursive } = scope;
  const all = (await onlyFiles(context, { ...scope, recursive: true })).length;
  if (recursive) {
    const which = globs ? `${globs.join(', ')} ` : '';
    const text = `${many(all, `${which}file`)} in ${shownPlace(path)}, folders below it included.`;
    return { text, data: { count: all } };
  }
  const direct = (await onlyFiles(context, scope)).length;
  return {
    text: `${many(direct, 'file')} directly in ${shownPlace(path)}; ${all} with the folders below it.`,
    data: { count: direct, with_subfolders: all },
  };
}

async function totalSize(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, true);
  const files = await onlyFiles(context, scope);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return {
    text: `${many(files.length, 'file')} in ${shownScopes([scope])} and the folders below it: ${bytes} bytes in all (files that .gitignore names are left out).`,
    data: { count: files.length, bytes },
  };
}

async function emptyFiles(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, true);
  const files = (await onlyFiles(context, scope)).filter(({ bytes }) => bytes === 0);
  const title = `${many(files.length, 'empty file')} in ${shownScopes([scope])}`;
  return listed(title, shown(files), { count: files.length, ...rowsOf(files) });
}

/** Most files that are read to compare them, since the requests of an attempt are limited. */
const MAX_COMPARED = 40;

/** Text files with the same content: files of equal size are read and compared. */
async function duplicates(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, true);
  const files = (await onlyFiles(context, scope)).toSorted(bySize);
  const sizeAt = (at: number) => files[at]?.bytes;
  const alike = files.filter(({ bytes }, at) => [sizeAt(at - 1), sizeAt(at + 1)].includes(bytes));
  const place = shownPlace(scope.path);
  if (alike.length > MAX_COMPARED)
    throw new TaskError(
      'INPUT_TOO_LARGE',
      `${alike.length} files in ${place} are of equal size; at most ${MAX_COMPARED} are compared. Name a folder in it.`,
    );
  const byContent = new Map<string, string[]>();
  for (const { path } of alike) {
    const { content } = await readWhole(context, path);
    byContent.set(content, [...(byContent.get(content) ?? []), path].sort());
  }
  const groups = [...byContent.values()].filter((paths) => paths.length > 1);
  const title =
    groups.length === 0
      ? `No two files in ${place} have the same content`
      : `Files in ${place} with the same content`;
  const rows = groups.flatMap((paths, index) => paths.map((path) => [index + 1, path]));
  const lines = groups.map((paths) => `- ${paths.join(' = ')}`);
  return listed(title, lines, { count: groups.length, columns: ['group', 'path'], rows });
}

/** Sizes of files, or only whether they exist. */
function sizesOf(mustExist: boolean): Act {
  return async (filled, context) => {
    const paths = filled.texts('files');
    const found = await Promise.all(paths.map((path) => findFile(context, path)));
    const missing = paths.find((_, at) => found[at] === undefined);
    if (mustExist && missing !== undefined)
      throw new TaskError('NOT_FOUND', `${missing} does not exist.`);
    const entries = found.flatMap((entry) => entry ?? []);
    if (mustExist) return { text: shown(entries).join('\n'), data: rowsOf(entries) };
    const lines = paths.map((path, at) =>
      found[at] === undefined
        ? `${path} does not exist.`
        : `${path} exists (${found[at].bytes} bytes).`,
    );
    const rows = paths.map((path, at) => [path, found[at] !== undefined]);
    return { text: lines.join('\n'), data: { columns: ['path', 'exists'], rows } };
  };
}
