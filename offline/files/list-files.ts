import type { Outcome } from '../context.ts';
import { units } from '../language/lexicon.ts';
import { formsOf, type Step } from '../phrases/form.ts';
import { fail } from '../task-error.ts';
import { type Entry, findFile, listed, listFolder, many, readWhole } from './file-tool.ts';
import { entriesIn, scopeOf, shownPlace, shownScopes } from './which-files.ts';

/** Forms that list, count, rank and find files. */
export const listForms = formsOf(
  `
with = [(that|which|whose names?)]
size = <with> [are] over:(larger|bigger|more|over|above|smaller|less|under|below) [than] {size:n} unit:(bytes?|b|kb|mb|gb|kib|mib|kilobytes?|megabytes?)
names = [(matching|named|called|like|whose name contains|with names containing) {match:glob|quote|word}|<with> (start|starts|starting|begin|begins|beginning) with {start:quote|word}|<with> (end|ends|ending) (in|with) {ending:quote|file|glob|word}|<size>]
sizes = [((with|and|including|together with|along with) [their|its] [file] sizes? [in bytes]|and how (big|large) (they are|are they))]
way = [way:(largest first|biggest first|smallest first|descending|ascending|in descending order|in ascending order|from largest to smallest|from smallest to largest)]
order = <sizes> [[sorted|ordered|sort|order] [them] by [their] [file] by:(names?|sizes?)] <way>
rank = rank:(largest|biggest|smallest|heaviest)
exist = [are there|are|there are|exist|do i have|do we have|have we got|live]
what = ([names of|names] <kind> files|everything)
which = ({top:n} <rank>|<rank> [{top:n}]|{nth:nth} <rank>)
listing: List all files with their sizes
  <ask> <what> [folders:(and (folders|directories))] <exist> <names> <place> <order>
  (<show> [contents? of] [<fold>] {folder:file} <fold>|list [contents? of] {folder:file}) <below> <order>
  what is (in|inside) ([this|current|whole|entire] (<fold>|workspace|project)|here|[<fold>] {folder:name} [<fold>])
folders: List the folders
  <ask> (folders|directories|subfolders|subdirectories) <exist> <place>
ranked: Show the 5 largest files
  (<ask>|(which|what) (is|are)) <which> <kind> (isOne:(file)|files) <place> <sizes>
  (which|what) <kind> isOne:(file) [(in|inside|of) [this|current] (<fold>|project|workspace)] (is|has) [size] <rank> <place>
counting: How many files are there?
  <count> <kind> files <exist> <names> <place>
totalSize: What is the total size of all files?
  (what is|show|tell [me]|give [me]|calculate|compute|get) [total|combined] size of [all] <kind> files <place>
  how (big|large) is ([<fold>] {folder:name} <fold>|[<fold>] {folder:file} <fold>|<fold> ({folder:file}|{folder:name}))
emptyFiles: Find empty files
  <ask> empty <kind> files <exist> <place>
  (which|what|are there) [any] <kind> files [that] are empty <place>
duplicates: Find duplicate files
  (<show>|are there [any]) (duplicates|duplicated|duplicate) [files] <place>
existence: Does {file} exist?
  (does|do|check (that|if|whether)|is there|see (if|whether)) [file] {files:file+} [exists|exist|is there|there]
sizesOf: How big is {file}?
  (how (big|large) (is|are)|(what is|what are|show|tell me|give me|get) [file] sizes? of) [file] {files:file+} [in bytes]
`,
  {
    ...{ listing, folders, ranked, counting, totalSize },
    ...{ emptyFiles, duplicates, existence, sizesOf },
  },
);

/** The files and folders that a step is about, and a description of their place. */
async function entriesOf(step: Step, isDeep: boolean) {
  const scope = scopeOf(step, isDeep);
  const entries = await entriesIn(step, scope);
  const isMeant = sizeTest(step);
  const files = entries.filter((entry) => entry.kind === 'file' && isMeant(entry));
  const folders = entries.filter(({ kind }) => kind === 'folder' && !step.has('size'));
  const also = shownSize(step);
  const folder = `${shownPlace(scope.path)}${also}`;
  return { scope, files, folders, folder, place: `${shownScopes([scope])}${also}` };
}

/** ` (larger than 10 kb)`; empty without a size. */
function shownSize(step: Step): string {
  const size = ['over', 'size', 'unit'].map(step.text).join(' ');
  return step.has('size') ? ` (${size.replace(' ', ' than ')})` : '';
}

/** The test for a size such as `larger than 10 kB`. Without a size, every file passes. */
function sizeTest(step: Step): (file: Entry) => boolean {
  const size = step.number('size');
  const [, factor = 1] = units.get(step.word('unit').replace(/(?<=..)s$/, '')) ?? [];
  if (size === undefined) return () => true;
  const isOver = /^(?:larger|bigger|more|over|above)$/.test(step.word('over'));
  return ({ bytes }) => (isOver ? bytes > size * factor : bytes < size * factor);
}

const leftOut = '(files that .gitignore names are left out)';

/** Lists entries below a title. The table contains the files only. */
function entriesListed(
  title: string,
  entries: readonly Entry[],
  data: Outcome['data'] = {},
): Outcome {
  const lines = entries.map(({ path, kind, bytes }) =>
    kind === 'folder' ? `- ${path}/` : `- ${path} (${many(bytes, 'byte')})`,
  );
  const files = entries.filter(({ kind }) => kind === 'file');
  const rows = files.map(({ path, bytes }) => [path, bytes]);
  return listed(title, lines, { columns: ['path', 'bytes'], rows, ...data });
}

const byName = (a: Entry, b: Entry) => (a.path < b.path ? -1 : 1);

async function listing(step: Step): Promise<Outcome> {
  const { scope, files, folders, folder } = await entriesOf(step, false);
  const { globs, recursive } = scope;
  const way = step.word('way');
  const isBySize = /size/.test(step.word('by')) || /largest|biggest|smallest/.test(way);
  const isDown = /^(?:largest|biggest|from largest)|desc/.test(way) || (isBySize && way === '');
  const order = (a: Entry, b: Entry) => (isBySize && a.bytes - b.bytes) || byName(a, b);
  const sorted = files.toSorted((a, b) => (isDown ? order(b, a) : order(a, b)));
  const wantsFolders = step.has('folders') || (globs === undefined && !recursive);
  const shown = wantsFolders ? folders : [];
  const also = shown.length > 0 ? ` and ${many(shown.length, 'folder')}` : '';
  const match = globs === undefined ? '' : ` that match ${globs.join(', ')}`;
  const title = `${many(files.length, 'file')}${also} in ${folder}${match}`;
  return entriesListed(title, [...shown, ...sorted], { count: files.length });
}

async function folders(step: Step): Promise<Outcome> {
  const { folders: found, folder } = await entriesOf(step, false);
  const rows = found.map(({ path }) => [path]);
  const data = { count: found.length, columns: ['path'], rows };
  return entriesListed(`${many(found.length, 'folder')} in ${folder}`, found, data);
}

async function ranked(step: Step): Promise<Outcome> {
  const { files, place } = await entriesOf(step, true);
  const most = step.number('top') ?? (step.has('isOne') ? 1 : 10);
  const isSmallest = step.word('rank') === 'smallest';
  const found = files
    .toSorted((a, b) => (isSmallest ? a.bytes - b.bytes : b.bytes - a.bytes) || byName(a, b))
    .slice((step.number('nth') ?? 1) - 1, step.number('nth') ?? most);
  if (found.length === 0) fail('NOT_FOUND', `There is no such file in ${place}.`);
  const rank = `${step.text('nth')} ${isSmallest ? 'smallest' : 'largest'}`.trim();
  const which = `${rank} ${found.length === 1 ? 'file' : `${found.length} files`}`;
  return entriesListed(`The ${which} in ${place} and the folders below it ${leftOut}`, found);
}

/** The number of files that a step is about, in any number. */
async function countOf(step: Step, isDeep: boolean): Promise<number> {
  if (step.has('size')) return (await entriesOf(step, isDeep)).files.length;
  const scope = scopeOf(step, isDeep);
  return (await listFolder(step, scope.path, scope)).files;
}

async function counting(step: Step): Promise<Outcome> {
  const scope = scopeOf(step, false);
  const count = await countOf(step, false);
  const folder = `${shownPlace(scope.path)}${shownSize(step)}`;
  const counted = many(count, scope.globs ? `${scope.globs.join(', ')} file` : 'file');
  const data = { count };
  if (scope.recursive)
    return listed(`${counted} in ${folder}, folders below it included`, [], data);
  const all = await countOf(step, true);
  const title = `${counted} directly in ${folder}; ${all} with the folders below it`;
  return listed(title, [], { ...data, with_subfolders: all });
}

async function totalSize(step: Step): Promise<Outcome> {
  const { files, place } = await entriesOf(step, true);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const title = `${many(files.length, 'file')} in ${place} and the folders below it: ${bytes} bytes in all ${leftOut}`;
  return listed(title, [], { count: files.length, bytes });
}

async function emptyFiles(step: Step): Promise<Outcome> {
  const { files, place } = await entriesOf(step, true);
  const empty = files.filter(({ bytes }) => bytes === 0);
  const title = `${many(empty.length, 'empty file')} in ${place}`;
  return entriesListed(title, empty, { count: empty.length });
}

/** Maximum number of compared files, because the requests of an attempt are limited. */
const MAX_COMPARED = 40;

/** Finds text files with the same content. Files of equal size are read and compared. */
async function duplicates(step: Step): Promise<Outcome> {
  const { files, folder } = await entriesOf(step, true);
  const sizes = files.map(({ bytes }) => bytes).sort((a, b) => a - b);
  const twice = new Set(sizes.filter((bytes, at) => bytes === sizes[at - 1]));
  const alike = files.filter(({ bytes }) => twice.has(bytes));
  if (alike.length > MAX_COMPARED)
    fail('INPUT_TOO_LARGE', `${alike.length} files in ${folder} must be read. Name a folder.`);
  const byContent = new Map<string, string[]>();
  for (const { path } of alike) {
    const { content } = await readWhole(step, path);
    byContent.set(content, [...(byContent.get(content) ?? []), path].sort());
  }
  const groups = [...byContent.values()].filter((paths) => paths.length > 1);
  const which = groups.length === 0 ? 'No two files' : 'Files';
  const title = `${which} in ${folder} ${groups.length === 0 ? 'have' : 'with'} the same content`;
  const lines = groups.map((paths) => `- ${paths.join(' = ')}`);
  const rows = groups.flatMap((paths, index) => paths.map((path) => [index + 1, path]));
  return listed(title, lines, { count: groups.length, columns: ['group', 'path'], rows });
}

async function existence(step: Step): Promise<Outcome> {
  const rows: [path: string, exists: boolean][] = [];
  const lines: string[] = [];
  for (const path of step.texts('files')) {
    const entry = await findFile(step, path);
    rows.push([path, entry !== undefined]);
    lines.push(entry ? `${path} exists (${entry.bytes} bytes).` : `${path} does not exist.`);
  }
  return { text: lines.join('\n'), data: { columns: ['path', 'exists'], rows } };
}

async function sizesOf(step: Step): Promise<Outcome> {
  const entries: Entry[] = [];
  for (const path of step.texts('files')) {
    const entry = await findFile(step, path.replace(/\/$/, ''));
    if (entry?.kind === 'folder') fail('INPUT_INVALID', `Ask: How big is the folder ${path}?`);
    entries.push(entry ?? fail('NOT_FOUND', `${path} does not exist.`));
  }
  return entriesListed(many(entries.length, 'file'), entries);
}
