import { expect, it } from 'vitest';
import { createStyle } from '../text/style.ts';
import type { MenuContext } from './program/create-context.ts';
import { slashCommands } from './slash-commands.ts';

const OLDER = '0199a1b2-0000-7000-8000-000011111111';
const NEWER = '0199a1b2-0000-7000-8000-000022222222';
const GAPS = [{ intent_id: 'i', reason: 'interrupted' }];
const undo = slashCommands.find(({ name }) => name === 'undo');

/** A conversation of two runs that changed a file; the newer one can't be undone. */
function twoRuns({ isCompared = true } = {}) {
  const printed: string[] = [];
  const undone: string[] = [];
  const runs = [
    { id: OLDER, task: 'older', messages: ['keep b.md', 'keep\na.md'] },
    { id: NEWER, task: 'newer', messages: [] },
  ];
  const context = {
    print: (text: string) => printed.push(text),
    frame: () => ({ style: createStyle({}, false), width: 79 }),
    conversation: { sessionId: () => 's' },
    capstan: {
      sessions: { get: async () => ({ runs }) },
      runs: {
        diff: async (id: string) =>
          id === OLDER || isCompared
            ? { files: [{ now: 'changed_since' }], gaps: [] }
            : { files: [], gaps: GAPS },
        undo: async (id: string) => {
          undone.push(id);
          const leftOut = isCompared ? [{ path: 'a.md', reason: 'changed_since' }] : [];
          const gaps = isCompared ? [] : GAPS;
          const common = { done: [], failed: [], steps: [], not_undoable: [], gaps };
          return id === NEWER
            ? { ...common, status: 'nothing', left_out: leftOut }
            : { ...common, status: 'declined', left_out: [] };
        },
      },
    },
  };
  return { context: context as unknown as MenuContext, printed, undone };
}

it('/undo never goes on to an older task by itself: it says why, and how to name one', async () => {
  const { context, printed, undone } = twoRuns();
  await undo?.run(context, '');
  expect(undone).toEqual([NEWER]);
  expect(printed.join('\n')).toMatch(
    /Cannot be undone: newer\n[\s\S]*a\.md +it changed after the run[\s\S]*: \/undo 11111111 \(older; then you said: keep a\.md\)$/,
  );
  await undo?.run(context, '11111111');
  expect(undone.at(-1)).toBe(OLDER);
});

it('/undo says that the newest task cannot be undone if its files were not compared, and names an older one', async () => {
  const { context, printed, undone } = twoRuns({ isCompared: false });
  await undo?.run(context, '');
  expect(undone).toEqual([NEWER]);
  expect(printed.join('\n')).toMatch(
    /The newest task can't be undone: its files were not compared\n[\s\S]*programs may have\n {2}changed others\.\n {2}An older task: \/undo 11111111 /,
  );
});

it.each([
  ['all of three tasks', ['12:03', '12:02', '12:01'], 0],
  ['the newest two of three', [null, '12:02', '12:01'], 1],
  ['an older one by name', [null, '12:01', null], 1],
  ['an older one by name, then of the newest', ['12:01', null, '12:02'], 2],
])('after /undo of %s, /redo takes the one back that was undone last', async (_, times, at) => {
  const runs = times.map((_, index) => ({ id: `run-${index}`, task: 'a task', messages: [] }));
  const redone: unknown[] = [];
  const context = {
    print: () => {},
    frame: () => ({ style: createStyle({}, false), width: 79 }),
    conversation: { sessionId: () => 's' },
    capstan: {
      sessions: { get: async () => ({ runs }) },
      runs: {
        diff: async (id: string) => {
          const time = times[Number(id.slice(-1))];
          return { files: [{ now: time ? 'undone' : 'same', undone_at: time }], gaps: [] };
        },
        undo: async (id: string, { redo }: { redo: boolean }) => {
          redone.push([id, redo]);
          return { status: 'declined', done: [], failed: [], left_out: [], gaps: [] };
        },
      },
    },
  };
  const command = slashCommands.find(({ name }) => name === 'redo');
  await command?.run(context as unknown as MenuContext, '');
  expect(redone).toEqual([[`run-${at}`, true]]);
});

it('/undo leaves the rows of its plan whole, so that no part of a path looks like another row', async () => {
  const { context, printed } = twoRuns();
  const path = `${'long '.repeat(15)}restore\u00a0\u00a0other.md`;
  const plan = { action: 'undo', steps: [{ action: 'restore', path }], left_out: [] };
  const confirm = async () => false;
  const undoOf: MenuContext['capstan']['runs']['undo'] = async (_id, options) => {
    await options.confirm?.({ ...plan, not_undoable: [], gaps: [] } as never);
    return { ...plan, status: 'declined', done: [], failed: [], gaps: [] } as never;
  };
  Object.assign(context, { confirm });
  Object.assign(context.capstan.runs, { undo: undoOf });
  await undo?.run(context, '');
  expect(printed[0]).toBe(`  Changes of: newer\n  restore  ${path}`);
});
