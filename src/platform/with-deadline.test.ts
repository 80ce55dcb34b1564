import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withDeadline } from './with-deadline.ts';

const wait = (signal: AbortSignal) =>
  pause(60_000, undefined, { signal }).catch(() => Promise.reject(signal.reason));

it('returns the result of the work, and leaves no listener behind', async () => {
  const { signal } = new AbortController();
  expect(await withDeadline(signal, 60_000, async () => 'done')).toBe('done');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('ends the work with a TimeoutError when its time is up', async () => {
  const { signal } = new AbortController();
  const work = withDeadline(signal, 1, wait);
  await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
});

it.each(['before', 'while'])(
  'ends the work with the reason of the abort %s it runs',
  async (when) => {
    const cancel = new AbortController();
    if (when === 'before') cancel.abort('enough');
    const work = withDeadline(cancel.signal, 60_000, wait);
    cancel.abort('enough');
    await expect(work).rejects.toBe('enough');
  },
);
