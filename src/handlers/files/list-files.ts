import { TaskError } from '../../../offline/task-error.ts';
import { type Filled, type Form, form } from '../instruction/form.ts';
import { wordLetter } from '../instruction/letters.ts';
import { findDuplicates } from './duplicates.ts';
import { kindWords } from './file-kinds.ts';
import { type Act, type Entry, findFile, type Outcome } from './file-tool.ts';
import { deepForm, placeForm, placeOf, shownPlace } from './place.ts';
import { listed, wantedOf } from './wanted-files.ts';

const kindForm = `(?:(?<kind>${kindWords}) |<glob:glob> )?`;
const namesForm = `(?: (?:matching|named|called|like) <match:glob|quote>| (?:that end|ending|which end)(?:s)? (?:in|with) (?:\\.?(?<ending>${wordLetter}{1,10})|<endq:quote|file>))?`;
const sizesForm =
  '(?<sizes>,? (?:with|and|including|together with|along with) (?:their |its )?(?:file )?sizes?(?: in bytes)?)?';
const orderForm =
  '(?:,? (?:sorted |ordered |sort |order )?(?:them )?by (?:their )?(?<order>name|size))?(?:,? (?<way>largest first|biggest first|smallest first|descending|ascending|in descending order|in ascending order))?';
const show =
  '(?:list|show|find|get|display|name|print|give)(?: me)?(?: all)?(?: of)?(?: names of)?(?: all)?';
const rank = '(?<rank>largest|biggest|smallest)';

/** Forms that list, count, rank and look for files. */
export const listForms: readonly Form<Act>[] = [
  form(
    `${show} ${kindForm}files(?<folders> and (?:folders|directories))?${namesForm}${placeForm}${deepForm}${sizesForm}${orderForm}`,
    listing,
  ),
  form(`${show} <match:glob>(?: files)?${placeForm}${deepForm}${sizesForm}${orderForm}`, listing),
  form(
    `${show}(?: contents? of)?(?: folder| directory)? <folder:file>(?: folder| directory)${deepForm}${sizesForm}${orderForm}`,
    listing,
  ),
  form(`list(?: contents? of)? <folder:file>${deepForm}${sizesForm}${orderForm}`, listing),
  form(
    `(?:what|which) ${kindForm}files (?:are there|are|exist|do i have|there are)${placeForm}${deepForm}`,
    listing,
  ),
  form(
    `${show} (?:(?<top>\\d+) )?${rank}(?: (?<second>\\d+))? ${kindForm}files?${placeForm}${deepForm}${sizesForm}`,
    ranked,
  ),
  form(
    `(?:which|what) (?:(?:is|are) )?(?:(?<top>\\d+) )?${rank} ${kindForm}files?${placeForm}${deepForm}${sizesForm}`,
    ranked,
  ),
  form(
    `(?:how many|count(?: how many)?|count number of)(?: all)? ${kindForm}files(?: are there| are| exist| there are| do i have)?${namesForm}${placeForm}${deepForm}`,
    counting,
  ),
  form(`${show} duplicate(?:s|d)?(?: files)?${placeForm}${deepForm}`, duplicates),
  form(
    `(?:which|what) files(?: in <folder:file>)? are (?:duplicates|identical|same)(?: of each other)?`,
    duplicates,
  ),
  form(
    '(?:does|do|check (?:that|if|whether)|is there) (?:file )?<paths:file+>(?: exists?| is there| there)?',
    existence,
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

const many = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

function listing(filled: Filled): Act {
  return async (context) => {
    const wanted = wantedOf(filled, false);
    const { entries } = await listed(context, wanted);
    const wantsFolders =
      filled.word('folders') !== undefined || (wanted.globs === undefined && !wanted.recursive);
    const files = sorted(
      filled,
      entries.filter(({ kind }) => kind === 'file'),
    );
    const folders = wantsFolders ? entries.filter(({ kind }) => kind === 'folder') : [];
    const shown = [...folders, ...files];
    const place = `${shownPlace(wanted.path)}${wanted.globs ? ` that match ${wanted.globs.join(', ')}` : ''}`;
    const counted = `${many(files.length, 'file')}${folders.length > 0 ? ` and ${many(folders.length, 'folder')}` : ''}`;
    const text = `${counted} in ${place}${shown.length === 0 ? '.' : `:\n\n${bullets(shown)}`}`;
    return { text, data: { count: files.length, ...rowsOf(files) } };
  };
}

function sorted(filled: Filled, files: readonly Entry[]): readonly Entry[] {
  const way = filled.word('way')?.toLowerCase() ?? '';
  const bySize =
    filled.word('order')?.toLowerCase() === 'size' || /largest|biggest|smallest/.test(way);
  const isDown = /largest|biggest|descending/.test(way) || (bySize && way === '');
  const compare = (a: Entry, b: Entry) => (bySize ? a.bytes - b.bytes : byName(a, b));
  return [...files].sort((a, b) => (isDown ? compare(b, a) : compare(a, b)) || byName(a, b));
}

const byName = (a: Entry, b: Entry) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

function ranked(filled: Filled): Act {
  return async (context) => {
    const isOne =
      /\bfile(?:$|\s)/i.test(filled.instruction.line) &&
      !/\bfiles\b/i.test(filled.instruction.line);
    const count = Number(filled.word('top') ?? filled.word('second') ?? (isOne ? 1 : 10));
    const wanted = wantedOf(filled, true);
    const { entries } = await listed(context, wanted);
    const sign = filled.word('rank')?.toLowerCase() === 'smallest' ? 1 : -1;
    const files = entries
      .filter(({ kind }) => kind === 'file')
      .sort((a, b) => sign * (a.bytes - b.bytes) || byName(a, b))
      .slice(0, count);
    const name = `${filled.word('rank')?.toLowerCase()} ${files.length === 1 ? 'file' : `${files.length} files`}`;
    const text = `The ${name} in ${shownPlace(wanted.path)} and the folders below it (files that .gitignore names are left out):\n\n${bullets(files)}`;
    if (files.length === 0)
      throw new TaskError('NOT_FOUND', `There are no such files in ${shownPlace(wanted.path)}.`);
    return { text, data: rowsOf(files) };
  };
}

function counting(filled: Filled): Act {
  return async (context) => {
    const wanted = wantedOf(filled, false);
    const isFile = ({ kind }: Entry) => kind === 'file';
    const all = (
      await listed(context, { ...wanted, recursive: true, globs: wanted.globs })
    ).entries.filter(isFile).length;
    const place = shownPlace(wanted.path);
    if (wanted.recursive) {
      const which = wanted.globs ? `${wanted.globs.join(', ')} ` : '';
      return {
        text: `${many(all, `${which}file`)} in ${place}, folders below it included.`,
        data: { count: all },
      };
    }
    const direct = (await listed(context, wanted)).entries.filter(isFile).length;
    return {
      text: `${many(direct, 'file')} directly in ${place}; ${all} with the folders below it.`,
      data: { count: direct, with_subfolders: all },
    };
  };
}

function duplicates(filled: Filled): Act {
  return async (context) => {
    return findDuplicates(
      context,
      await listed(context, wantedOf(filled, true)),
      shownPlace(placeOf(filled)),
    );
  };
}

function existence(filled: Filled): Act {
  return async (context): Promise<Outcome> => {
    const paths = filled.atoms('paths').map(({ value }) => value);
    const found = await Promise.all(paths.map((path) => findFile(context, path)));
    const lines = paths.map((path, index) => {
      const entry = found[index];
      return entry === undefined
        ? `${path} does not exist.`
        : `${path} exists (${entry.bytes} bytes).`;
    });
    return {
      text: lines.join('\n'),
      data: {
        columns: ['path', 'exists'],
        rows: paths.map((path, index) => [path, found[index] !== undefined]),
      },
    };
  };
}
