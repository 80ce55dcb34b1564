import { FOUND_BEFORE } from '../language/found-before.ts';
import type { Draft, DraftRole } from './draft.ts';
import { hasOwnScope, isCounting, narrowingOf } from './narrowing.ts';

/** The default object of later steps: files, or the result of a step. */
interface Source {
  readonly files: readonly string[];
  readonly step: number;
  /** The step that reads the files. */
  readonly draft: Draft;
}

const producing: ReadonlySet<DraftRole> = new Set([
  'data',
  'shape',
  'run',
  'sql',
  'fetch',
  'summarise',
  'other',
]);
const carries: ReadonlySet<DraftRole> = new Set(['data', 'shape', 'sql', 'summarise', 'edit']);
const makesSource: ReadonlySet<DraftRole> = new Set(['data', 'shape', 'sql', 'summarise', 'other']);

/** Adds to each draft what it needs from earlier ones, and the files that it does not name. */
export function linkDrafts(drafts: readonly Draft[]): void {
  let source: Source | undefined;
  let unsaved: number[] = [];
  for (const [index, draft] of drafts.entries()) {
    if (!(draft.pointsAtFile && source?.files.length === 1)) refer(drafts, index, unsaved);
    const from = editedBefore(draft, drafts, index) ?? source;
    if (from !== undefined) carry(draft, from);
    const used = new Set(draft.needs);
    depend(drafts, index);
    if (!countsFound(draft, source)) source = nextSource(draft, index) ?? source;
    unsaved = unsaved.filter((step) => !used.has(step));
    if (producing.has(draft.role)) unsaved.push(index);
  }
}

const pointing = /\b(?:it|its|them|their|the file)\b/i;

/** `rename a.txt to b.txt and count its lines`: the file under its new name. */
function editedBefore(draft: Draft, drafts: readonly Draft[], index: number): Source | undefined {
  const before = drafts[index - 1];
  const name = before?.role === 'edit' ? before.outputs.at(-1) : undefined;
  if (!before || name === undefined || !pointing.test(draft.asked)) return undefined;
  return { files: [name], step: index - 1, draft: before };
}

/** `How many are there?` between two steps about the same rows. */
const countsFound = (draft: Draft, source: Source | undefined): boolean =>
  source !== undefined && draft.carried.includes(FOUND_BEFORE) && isCounting(draft.asked);

/** `it` is the last result; `a report` and `them` are all results that are not saved yet, or all results. */
function refer(drafts: readonly Draft[], index: number, unsaved: readonly number[]): void {
  const draft = drafts[index];
  if (draft === undefined || draft.refersTo === 'none') return;
  const results = drafts.flatMap(({ role }, at) => (at < index && producing.has(role) ? [at] : []));
  if (results.length === 0) return;
  const wanted = wantedBy(drafts, draft, {
    open: unsaved.length > 0 ? unsaved : results,
    last: results.slice(-1),
  });
  // `it` means a file that the step itself names.
  if (draft.role !== 'save' && draft.inputs.length > 0) return;
  for (const step of wanted) draft.needs.add(step);
}

function wantedBy(
  drafts: readonly Draft[],
  draft: Draft,
  { open, last }: { open: readonly number[]; last: readonly number[] },
): readonly number[] {
  if (draft.refersTo === 'unsaved') return open;
  const near = open.filter((at) => drafts[at]?.sentence === draft.sentence);
  return draft.refersTo === 'sentence' && near.length > 0 ? near : last;
}

function carry(draft: Draft, source: Source): void {
  if (!carries.has(draft.role) || draft.inputs.length > 0) return;
  if (draft.role === 'edit' && draft.outputs.length > 0) return;
  if (isAboutResult(draft, source.draft)) pointBack(draft, source.step);
  else if (source.files.length > 0) carryFiles(draft, source.files);
  else if (!makesSource.has(source.draft.role)) draft.needs.add(source.step);
}

function carryFiles(draft: Draft, files: readonly string[]): void {
  const refersOnlyToResult = draft.role === 'summarise' && draft.needs.size > 0;
  if (refersOnlyToResult || (draft.needs.size > 0 && draft.refersTo === 'unsaved')) return;
  draft.carried = [...files];
  draft.inputs.push(...files);
  if (draft.role === 'edit') draft.outputs.push(...files);
}

/** Adds the file to `count the lines`, so that a capsule can't choose another file or folder. */
function pointBack(draft: Draft, step: number): void {
  draft.needs.add(step);
  const isPlain = draft.role === 'data' && draft.outputs.length === 0 && draft.refersTo === 'none';
  if (isPlain) draft.carried = [FOUND_BEFORE];
}

const asking: ReadonlySet<DraftRole> = new Set(['data', 'shape', 'summarise']);

/**
 * `search a.log for POST and count the lines`: if the previous step selected a part of its file, a step without a
 * file is about that part. It gets the result, and does not read the whole file again.
 */
function isAboutResult(draft: Draft, before: Draft): boolean {
  if (!asking.has(draft.role) || !(asking.has(before.role) || before.role === 'other'))
    return false;
  const narrowing = narrowingOf(before.asked);
  if (narrowing === 'none' || hasOwnScope(draft.asked, narrowing)) return false;
  const isApart = draft.sentence !== before.sentence && draft.outputs.length === 0;
  return !(isApart && (narrowing === 'ranked' || isCounting(before.asked)));
}

/** A step that writes a file depends on, or is needed by, each other step that names it. A command may touch any file. */
function depend(drafts: readonly Draft[], index: number): void {
  const draft = drafts[index];
  if (draft === undefined) return;
  for (const [at, earlier] of drafts.slice(0, index).entries()) {
    const shares =
      overlap(earlier.outputs, [...draft.inputs, ...draft.outputs]) ||
      overlap(earlier.inputs, draft.outputs);
    const waits = earlier.role === 'run' && draft.role !== 'save';
    if (shares || waits || draft.role === 'run') draft.needs.add(at);
  }
}

const overlap = (a: readonly string[], b: readonly string[]) => a.some((name) => b.includes(name));

function nextSource(draft: Draft, index: number): Source | undefined {
  if (makesSource.has(draft.role) && (draft.inputs.length > 0 || draft.role === 'data'))
    return { files: draft.inputs, step: index, draft };
  if (draft.role === 'fetch' || draft.role === 'run') return { files: [], step: index, draft };
  if (draft.role === 'copy' || draft.role === 'content') {
    return draft.outputs.length > 0 ? { files: draft.outputs, step: index, draft } : undefined;
  }
  return undefined;
}
