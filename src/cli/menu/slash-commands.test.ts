import { expect, it } from 'vitest';
import type { MenuContext } from './program/create-context.ts';
import { slashCommands } from './slash-commands.ts';

const OLDER = '0199a1b2-0000-7000-8000-000011111111';
const NEWER = '0199a1b2-0000-7000-8000-000022222222';
const undo = slashCommands.find(({ name }) => name === 'undo');

/** A conversation of two runs that changed a file; the newer one can't be undone. */
function twoRuns() {
  const printed: string[] = [];
  const undone: string[] = [];
  const runs = [
    { id: OLDER, task: 'older', messages: ['keep b.md', 'keep\na.md'] },
    { id: NEWER, task: 'newer', messages: [] },
  ];
  const context = {
    print: (text: string) => printed.push(text),
    conversation: { sessionId: () => 's' },
    capstan: {
      sessions: { get: async () => ({ runs }) },
      runs: {
        diff: async () => ({ files: [{ now: 'changed_since' }] }),
        undo: async (id: string) => {
          undone.push(id);
          const leftOut = { path: 'a.md', reason: 'changed_since' };
          const common = { done: [], failed: [], steps: [], not_undoable: [] };
          return id === NEWER
            ? { ...common, status: 'nothing', left_out: [leftOut] }
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
