import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sharedSignal } from './shared-signal.ts';

it('takes more than ten listeners without a warning, and aborts with the first signal', async () => {
  const warned = once(process, 'warning').then(() => 'warned');
  const one = new AbortController();
  const signal = sharedSignal([one.signal, new AbortController().signal]);
  let heard = 0;
  for (let count = 0; count < 50; count += 1) signal.addEventListener('abort', () => (heard += 1));
  expect(await Promise.race([warned, nextTurn('nothing')])).toBe('nothing');
  one.abort();
  expect(heard).toBe(50);
});
