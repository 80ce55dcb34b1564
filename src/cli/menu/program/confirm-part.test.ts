import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openConfirm } from './confirm-part.ts';

const key = (text: string) => ({ name: 'text', text, ctrl: false, alt: false, shift: false });

it.concurrent.each([
  ['y answers yes', 400, 'y', true],
  ['n answers no', 400, 'n', false],
  ['the y of a typed word does not answer', 400, 'try again', 'open'],
  ['the beginning of a word does not answer', 400, 'now', 'open'],
  ['a key right after the question appeared does not answer', 0, 'y', 'open'],
] as const)('%s', async (_title, waitMs, typed, expected) => {
  const asked = openConfirm('Discard it?', () => undefined);
  await wait(waitMs);
  for (const text of typed) asked.onKey(key(text));
  expect(await Promise.race([asked.answer, wait(600).then(() => 'open')])).toBe(expected);
});
