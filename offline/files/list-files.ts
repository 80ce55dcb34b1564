import type { HandlerContext, Outcome } from '../context.ts';
import { type Filled, form } from '../phrases/form.ts';
import { count, deep, kind, place, show } from '../phrases/fragments.ts';
import { TaskError } from '../task-error.ts';
import { findDuplicates } from './duplicates.ts';
import { type Entry, findFile } from './file-tool.ts';
import { listed, placeOf, shownPlace, shownWanted, wantedOf } from './wanted-files.ts';

const names =
  '[(matching|named|called|like|whose name contains|with names containing) {match:glob|quote|word}|(that|which|whose names?) (start|starts|begin|begins) with {start:quote|word}|starting with {start:quote|word}|(that|which|whose names?) (end|ends) (in|with) {ending:quote|file|glob|word}|ending (in|with) {ending:quote|file|glob|word}]';
const sizes =
  '[sizes:((with|and|including|together with|along with) [their|its] [file] sizes? [in bytes]|and how (big|large) (they are|are they))]';
const order =
  '[[sorted|ordered|sort|order] [them] by [their] [file] by:(names?|sizes?)] [way:(largest first|biggest first|smallest first|descending|ascending|in descending order|in ascending order|from largest to smallest|from smallest to largest)]';
const rank = 'rank:(largest|biggest|smallest|heaviest)';
const onlyNames = '[names of|names]';
const are = '[are there|are|there are|exist|do i have|do we have|have we got|live]';

/** Forms that list, count, rank and find files. */
export const listForms = [
  form(
    listing,
    'List all files with their sizes',
    `${show} ${onlyNames} ${kind} files [folders:(and (folders|directories))] ${are} ${names} ${place} ${deep} ${sizes} ${order}`,
    `${show} {match:glob} [files] ${place} ${deep} ${sizes} ${order}`,
    `${show} [contents? of] [folder|directory] {folder:file} (folder|directory) ${deep} ${sizes} ${order}`,
    `list [contents? of] {folder:file} ${deep} ${sizes} ${order}`,
    `(what|which) ${kind} files ${are} ${names} ${place} ${deep} ${sizes}`,
    'what is (in|inside) ([this|current|whole|entire] (folder|directory|workspace|project)|here|[folder|directory] {folder:name} [folder|directory])',
  ),
  form(
    foldersOnly,
    'List the folders',
    `${show} (folders|directories|subfolders|subdirectories) ${place} ${deep}`,
    `(what|which) (folders|directories|subfolders) ${are} ${place} ${deep}`,
  ),
  form(
    ranked,
    'Show the 5 largest files',
    `${show} [{top:n}] ${rank} [{top:n}] ${kind} files? ${place} ${deep} ${sizes}`,
    `(which|what) [is|are] [{top:n}] ${rank} ${kind} files? ${place} ${deep} ${sizes}`,
    `(which|what) ${kind} file (is|has) (${rank}|size rank:(largest|biggest)) ${place} ${deep}`,
    `(which|what) ${kind} file (in|inside|of) [this|current] (folder|directory|project|workspace) is ${rank}`,
  ),
  form(
    counting,
    'How many files are there?',
    `${count} ${kind} files ${are} ${names} ${place} ${deep}`,
  ),
  form(
    totalSize,
    'What is the total size of all files?',
    `(what is|show|tell [me]|give [me]|calculate|compute|get) [total|combined] size of [all] ${kind} files ${place} ${deep}`,
    `how (much space|large|big) (do|are) [all] ${kind} files [take up|take|use|together|in total] ${place} ${deep}`,
  ),
  form(
    emptyFiles,
    'Find empty files',
    `(${show}|which|what) [are] empty ${kind} files ${are} ${place} ${deep}`,
    `(which|what) ${kind} files are empty ${place} ${deep}`,
  ),
  form(
    duplicates,
    'Find duplicate files',
    `${show} (duplicates|duplicated|duplicate) [files] ${place} ${deep}`,
    `(what|which) files [in {folder:file}] are (duplicates|identical|same) [of each other]`,
    `are there [any] duplicate files ${place} ${deep}`,
  ),
  form(
    existence,
    'Does {file} exist?',
    '(does|do|check (that|if|whether)|is there|see (if|whether)) [file] {paths:file+} [exists|exist|is there|there]',
  ),
  form(
    sizesOf,
    'How big is {file}?',
    'how (big|large) (is|are) [file] {paths:file+} [in bytes]',
    '(what is|what are|show|tell me|give me|get) [file] sizes? of [file] {paths:file+}',
  ),
];

const rowsOf = (entries: readonly Entry[]) => ({
  columns: ['path', 'bytes'],
  rows: entries.map(({ path, bytes }) => [path, bytes]),
});

const bullets = (entries: readonly Entry[]) =>
  entries
    .map(({ path, kind, bytes }) =>
      kind === 'folder' ? `- ${path}/` : `- ${path} (${bytes} bytes)`,
    )
    .join('\n');

export const many = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

const isFile = ({ kind }: Entry) => kind === 'file';

async function listing(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const wanted = wantedOf(filled, false);
  const { entries } = await listed(context, wanted);
  const wantsFolders =
    filled.word('folders') !== undefined || (wanted.globs === undefined && !wanted.recursive);
  const files = sorted(filled, entries.filter(isFile));
  const folders = wantsFolders ? entries.filter(({ kind }) => kind === 'folder') : [];
  const shown = [...folders, ...files];
  const place = `${shownPlace(wanted.path)}${wanted.globs ? ` that match ${wanted.globs.join(', ')}` : ''}`;
  const counted = `${many(files.length, 'file')}${folders.length > 0 ? ` and ${many(folders.length, 'folder')}` : ''}`;
  const text = `${counted} in ${place}${shown.length === 0 ? '.' : `:\n\n${bullets(shown)}`}`;
  return { text, data: { count: files.length, ...rowsOf(files) } };
}

async function foldersOnly(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const wanted = wantedOf(filled, false);
  const { entries } = await listed(context, wanted);
  const folders = entries.filter(({ kind }) => kind === 'folder');
  const counted = `${many(folders.length, 'folder')} in ${shownPlace(wanted.path)}`;
  const rows = folders.map(({ path }) => [path]);
  return {
    text: folders.length === 0 ? `${counted}.` : `${counted}:\n\n${bullets(folders)}`,
    data: { count: folders.length, columns: ['path'], rows },
  };
}

function sorted(filled: Filled, files: readonly Entry[]): readonly Entry[] {
  const way = filled.word('way') ?? '';
  const isBySize =
    filled.word('by')?.startsWith('size') === true || /largest|biggest|smallest/.test(way);
  const isDown =
    /^(?:largest|biggest|from largest)|descending/.test(way) || (isBySize && way === '');
  const compare = (a: Entry, b: Entry) => (isBySize ? a.bytes - b.bytes : byName(a, b));
  return files.toSorted((a, b) => (isDown ? compare(b, a) : compare(a, b)) || byName(a, b));
}

const byName = (a: Entry, b: Entry) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

async function ranked(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const isOne = filled.instruction.tokens.some(({ norm }) => norm === 'file');
  const most = filled.number('top') ?? (isOne ? 1 : 10);
  const wanted = wantedOf(filled, true);
  const rank = filled.word('rank') === 'smallest' ? 'smallest' : 'largest';
  const sign = rank === 'smallest' ? 1 : -1;
  const all = (await listed(context, wanted)).entries.filter(isFile);
  const files = all.toSorted((a, b) => sign * (a.bytes - b.bytes) || byName(a, b)).slice(0, most);
  if (files.length === 0)
    throw new TaskError('NOT_FOUND', `No file was found: ${shownWanted(wanted)}.`);
  const name = `${rank} ${files.length === 1 ? 'file' : `${files.length} files`}`;
  const text = `The ${name} in ${shownPlace(wanted.path)} and the folders below it (files that .gitignore names are left out):\n\n${bullets(files)}`;
  return { text, data: rowsOf(files) };
}

async function counting(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const wanted = wantedOf(filled, false);
  const deeply = await listed(context, { ...wanted, recursive: true });
  const all = deeply.entries.filter(isFile).length;
  const place = shownPlace(wanted.path);
  if (wanted.recursive) {
    const which = wanted.globs ? `${wanted.globs.join(', ')} ` : '';
    const text = `${many(all, `${which}file`)} in ${place}, folders below it included.`;
    return { text, data: { count: all } };
  }
  const direct = (await listed(context, wanted)).entries.filter(isFile).length;
  return {
    text: `${many(direct, 'file')} directly in ${place}; ${all} with the folders below it.`,
    data: { count: direct, with_subfolders: all },
  };
}

async function totalSize(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const wanted = wantedOf(filled, true);
  const files = (await listed(context, wanted)).entries.filter(isFile);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return {
    text: `${many(files.length, 'file')} in ${shownWanted(wanted)} and the folders below it: ${bytes} bytes in all (files that .gitignore names are left out).`,
    data: { count: files.length, bytes },
  };
}

async function emptyFiles(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const wanted = wantedOf(filled, true);
  const files = (await listed(context, wanted)).entries.filter(
    (entry) => isFile(entry) && entry.bytes === 0,
  );
  const counted = `${many(files.length, 'empty file')} in ${shownWanted(wanted)}`;
  return {
    text: files.length === 0 ? `${counted}.` : `${counted}:\n\n${bullets(files)}`,
    data: { count: files.length, ...rowsOf(files) },
  };
}

async function duplicates(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const listing = await listed(context, wantedOf(filled, true));
  return findDuplicates(context, listing, shownPlace(placeOf(filled)));
}

async function existence(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const paths = filled.texts('paths');
  const found = await Promise.all(paths.map((path) => findFile(context, path)));
  const lines = paths.map((path, at) =>
    found[at] === undefined
      ? `${path} does not exist.`
      : `${path} exists (${found[at].bytes} bytes).`,
  );
  const rows = paths.map((path, at) => [path, found[at] !== undefined]);
  return { text: lines.join('\n'), data: { columns: ['path', 'exists'], rows } };
}

async function sizesOf(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const entries: Entry[] = [];
  for (const path of filled.texts('paths')) {
    const entry = await findFile(context, path);
    if (entry === undefined) throw new TaskError('NOT_FOUND', `${path} does not exist.`);
    entries.push(entry);
  }
  return { text: bullets(entries), data: rowsOf(entries) };
}
