import { expect, it } from 'vitest';
import type { FileDiff } from '../../app/runs/changes/diff-run.ts';
import { withRenames } from '../../app/runs/changes/with-renames.ts';
import { changedFiles, fileName } from './changed-files.ts';

const file = (
  path: string,
  change: FileDiff['change'],
  [before, after]: readonly [string | null, string | null],
): FileDiff => ({
  ...{ path, change, made_by: 's1', kind: 'tool', undoable: true, reason: null },
  ...{ diff: '@@ -1 +0,0 @@\n-a\n', diff_problem: null, now: 'same' },
  ...{
    before_sha256: before,
    after_sha256: after,
    before_mode: null,
    after_mode: null,
    undone_at: null,
  },
});

const named = (files: readonly FileDiff[]) => withRenames(files).map(fileName);

it('shows a removed and a created file with the same content as one rename', () => {
  const files = [file('a.txt', 'deleted', ['h1', null]), file('b.txt', 'created', [null, 'h1'])];
  expect(named(files)).toEqual(['a.txt -> b.txt']);
  const changes = { files, not_undoable: [], complete: true };
  expect(changedFiles(changes)).toEqual(['renamed a.txt -> b.txt']);
});

it('joins no file with two others, and none whose content differs or is not known', () => {
  const gone = file('a.txt', 'deleted', ['h1', null]);
  const copies = [file('b.txt', 'created', [null, 'h1']), file('c.txt', 'created', [null, 'h1'])];
  expect(named([gone, ...copies])).toEqual(['a.txt -> b.txt', 'c.txt']);
  expect(named([gone, file('b.txt', 'created', [null, 'h2'])])).toEqual(['a.txt', 'b.txt']);
  const unknown = [file('a.txt', 'deleted', [null, null]), file('b.txt', 'created', [null, null])];
  expect(named(unknown)).toEqual(['a.txt', 'b.txt']);
});

it('can only be undone completely', () => {
  const gone = file('a.txt', 'deleted', ['h1', null]);
  const came = file('b.txt', 'created', [null, 'h1']);
  const lost = { ...gone, undoable: false, reason: 'not_kept' } as const;
  expect(withRenames([lost, came])).toMatchObject([{ undoable: false, reason: 'not_kept' }]);
  expect(withRenames([gone, came])).toMatchObject([{ undoable: true, reason: null }]);
  const [undoneGone, undoneCame] = [
    { ...gone, now: 'undone' } as const,
    { ...came, now: 'undone' } as const,
  ];
  expect(withRenames([gone, undoneCame])).toMatchObject([{ now: 'same' }]);
  expect(withRenames([undoneGone, came])).toMatchObject([{ now: 'same' }]);
  expect(withRenames([undoneGone, undoneCame])).toMatchObject([{ now: 'undone' }]);
});
