import type { HandlerContext, Outcome } from '../context.ts';
import { type Filled, formsOf } from '../phrases/form.ts';
import { fail } from '../task-error.ts';
import { type Entry, findFile, listed, many, readWhole } from './file-tool.ts';
import { entriesIn, filesIn, scopeOf, shownPlace, shownScopes } from './which-files.ts';

/** Forms that list, count, rank and find files. */
export const listForms = formsOf(
  `
with = [(that|which|whose names?)]
names = [(matching|named|called|like|whose name contains|with names containing) {match:glob|quote|word}|<with> (start|starts|starting|begin|begins|beginning) with {start:quote|word}|<with> (end|ends|ending) (in|with) {ending:quote|file|glob|word}]
sizes = [((with|and|including|together with|along with) [their|its] [file] sizes? [in bytes]|and how (big|large) (they are|are they))]
way = [way:(largest first|biggest first|smallest first|descending|ascending|in descending order|in ascending order|from largest to smallest|from smallest to largest)]
order = <sizes> [[sorted|ordered|sort|order] [them] by [their] [file] by:(names?|sizes?)] <way>
rank = rank:(largest|biggest|smallest|heaviest)
exist = [are there|are|there are|exist|do i have|do we have|have we got|live]
what = [names of|names] <kind> files
only = (file|files) <place>
listing: List all files with their sizes
  <ask> <what> [folders:(and (folders|directories))] <exist> <names> <place> <order>
  <show> {match:glob} [files] <place> <order>
  <show> [contents? of] [<fold>] {folder:file} <fold> <below> <order>
  list [contents? of] {folder:file} <below> <order>
  what is (in|inside) ([this|current|whole|entire] (<fold>|workspace|project)|here|[<fold>] {folder:name} [<fold>])
folders: List the folders
  <ask> (folders|directories|subfolders|subdirectories) <exist> <place>
ranked: Show the 5 largest files
  (<ask>|(which|what) (is|are)) ({top:n} <rank>|<rank> [{top:n}]) <kind> (isOne:(file)|files) <place> <sizes>
  (which|what) <kind> isOne:(file) (is|has) (<rank>|size <rank>) <place>
  (which|what) <kind> isOne:(file) (in|inside|of) [this|current] (<fold>|project|workspace) is <rank>
counting: How many files are there?
  <count> <kind> files <exist> <names> <place>
totalSize: What is the total size of all files?
  (what is|show|tell [me]|give [me]|calculate|compute|get) [total|combined] size of [all] <kind> files <place>
  how (much space|large|big) (do|are) [all] <kind> files [take up|take|use|together|in total] <place>
emptyFiles: Find empty files
  <ask> empty <kind> files <exist> <place>
  (which|what|are there) [any] <kind> files [that] are empty <place>
duplicates: Find duplicate files
  <show> (duplicates|duplicated|duplicate) [files] <place>
  (what|which) files [in {folder:file}] are (duplicates|identical|same) [of each other]
  are there [any] duplicate files <place>
existence: Does {file} exist?
  (does|do|check (that|if|whether)|is there|see (if|whether)) [file] {files:file+} [exists|exist|is there|there]
sizesOf: How big is {file}?
  how (big|large) (is|are) [file] {files:file+} [in bytes]
  (what is|what are|show|tell me|give me|get) [file] sizes? of [file] {files:file+}
`,
  {
    ...{ listing, folders, ranked, counting, totalSize },
    ...{ emptyFiles, duplicates, existence, sizesOf },
  },
);

const rowsOf = (entries: readonly Entry[]) => ({
  columns: ['path', 'bytes'],
  rows: entries.map(({ path, bytes }) => [path, bytes]),
});

const shown = (entries: readonly Entry[]) =>
  entries.map(({ path, kind, bytes }) =>
    kind === 'folder' ? `- ${path}/` : `- ${path} (${bytes} bytes)`,
  );

const byName = (a: Entry, b: Entry) => (a.path < b.path ? -1 : 1);

async function listing(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, false);
  const { path, globs, recursive } = scope;
  const entries = await entriesIn(context, scope);
  const files = sorted(filled, entries);
  const wantsFolders = filled.has('folders') || (globs === undefined && !recursive);
  const found = wantsFolders ? entries.filter(({ kind }) => kind === 'folder') : [];
  const counted = `${many(files.length, 'file')}${found.length > 0 ? ` and ${many(found.length, 'folder')}` : ''}`;
  const match = globs === undefined ? '' : ` that match ${globs.join(', ')}`;
  const data = { count: files.length, ...rowsOf(files) };
  return listed(`${counted} in ${shownPlace(path)}${match}`, shown([...found, ...files]), data);
}

function sorted(filled: Filled, entries: readonly Entry[]): readonly Entry[] {
  const way = filled.word('way');
  const isBySize = /size/.test(filled.word('by')) || /largest|biggest|smallest/.test(way);
  const isDown = /^(?:largest|biggest|from largest)|desc/.test(way) || (isBySize && way === '');
  const order = (a: Entry, b: Entry) => (isBySize && a.bytes - b.bytes) || byName(a, b);
  const files = entries.filter(({ kind }) => kind === 'file');
  return files.toSorted((a, b) => (isDown ? order(b, a) : order(a, b)));
}

async function folders(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, false);
  const found = (await entriesIn(context, scope)).filter(({ kind }) => kind === 'folder');
  const title = `${many(found.length, 'folder')} in ${shownPlace(scope.path)}`;
  const rows = found.map(({ path }) => [path]);
  return listed(title, shown(found), { count: found.length, columns: ['path'], rows });
}

async function ranked(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, true);
  const most = filled.number('top') ?? (filled.has('isOne') ? 1 : 10);
  const [rank, sign] = filled.word('rank') === 'smallest' ? ['smallest', 1] : ['largest', -1];
  const files = (await filesIn(context, scope))
    .toSorted((a, b) => Number(sign) * (a.bytes - b.bytes) || byName(a, b))
    .slice(0, most);
  if (files.length === 0) fail('NOT_FOUND', `No file was found: ${shownScopes([scope])}.`);
  const name = `${rank} ${files.length === 1 ? 'file' : `${files.length} files`}`;
  const title = `The ${name} in ${shownPlace(scope.path)} and the folders below it (files that .gitignore names are left out)`;
  return listed(title, shown(files), rowsOf(files));
}

async function counting(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, false);
  const place = shownPlace(scope.path);
  const all = (await filesIn(context, { ...scope, recursive: true })).length;
  const which = scope.globs ? `${scope.globs.join(', ')} ` : '';
  if (scope.recursive)
    return listed(`${many(all, `${which}file`)} in ${place}, folders below it included`, [], {
      count: all,
    });
  const direct = (await filesIn(context, scope)).length;
  const title = `${many(direct, `${which}file`)} directly in ${place}; ${all} with the folders below it`;
  return listed(title, [], { count: direct, with_subfolders: all });
}

async function totalSize(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, true);
  const files = await filesIn(context, scope);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const title = `${many(files.length, 'file')} in ${shownScopes([scope])} and the folders below it: ${bytes} bytes in all (files that .gitignore names are left out)`;
  return listed(title, [], { count: files.length, bytes });
}

async function emptyFiles(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, true);
  const files = (await filesIn(context, scope)).filter(({ bytes }) => bytes === 0);
  const title = `${many(files.length, 'empty file')} in ${shownScopes([scope])}`;
  return listed(title, shown(files), { count: files.length, ...rowsOf(files) });
}

/** Most files that are read to compare them, since the requests of an attempt are limited. */
const MAX_COMPARED = 40;

/** Text files with the same content: files of equal size are read and compared. */
async function duplicates(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const scope = scopeOf(filled, true);
  const place = shownPlace(scope.path);
  const files = (await filesIn(context, scope)).toSorted((a, b) => a.bytes - b.bytes);
  const sizeAt = (at: number) => files[at]?.bytes;
  const alike = files.filter(({ bytes }, at) => [sizeAt(at - 1), sizeAt(at + 1)].includes(bytes));
  if (alike.length > MAX_COMPARED)
    fail(
      'INPUT_TOO_LARGE',
      `${alike.length} files in ${place} are of equal size; at most ${MAX_COMPARED} are compared. Name a folder in it.`,
    );
  const byContent = new Map<string, string[]>();
  for (const { path } of alike) {
    const { content } = await readWhole(context, path);
    byContent.set(content, [...(byContent.get(content) ?? []), path].sort());
  }
  const groups = [...byContent.values()].filter((paths) => paths.length > 1);
  const rows = groups.flatMap((paths, index) => paths.map((path) => [index + 1, path]));
  return listed(
    groups.length === 0
      ? `No two files in ${place} have the same content`
      : `Files in ${place} with the same content`,
    groups.map((paths) => `- ${paths.join(' = ')}`),
    { count: groups.length, columns: ['group', 'path'], rows },
  );
}

async function existence(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const rows: [path: string, exists: boolean][] = [];
  const lines: string[] = [];
  for (const path of filled.texts('files')) {
    const entry = await findFile(context, path);
    rows.push([path, entry !== undefined]);
    lines.push(entry ? `${path} exists (${entry.bytes} bytes).` : `${path} does not exist.`);
  }
  return { text: lines.join('\n'), data: { columns: ['path', 'exists'], rows } };
}

async function sizesOf(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const entries: Entry[] = [];
  for (const path of filled.texts('files'))
    entries.push((await findFile(context, path)) ?? fail('NOT_FOUND', `${path} does not exist.`));
  return { text: shown(entries).join('\n'), data: rowsOf(entries) };
}
