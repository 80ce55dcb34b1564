import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { holdKeys } from './hold-keys.ts';

const key = (text: string) => ({ name: 'text', text, ctrl: false, alt: false, shift: false });

it.concurrent.each([
  ['a single key counts', 400, ['y'], 'y'],
  ['the same key twice counts once', 400, ['y', 'y'], 'y'],
  ['the letters of a word do not count', 400, ['y', 'e', 's'], 's is in a word'],
  ['Space after a key makes it a word', 400, ['y', ' '], '  is in a word'],
  ['Space alone counts at once', 400, [' '], ' '],
  ['a key right after the question appeared does not count', 0, ['y'], 'y is in a word'],
] as const)('%s', async (_title, waitMs, typed, expected) => {
  const pressed: string[] = [];
  const { onCharacter } = holdKeys(
    (input, isInWord) =>
      'text' in input && pressed.push(`${input.text}${isInWord ? ' is in a word' : ''}`),
    () => undefined,
  );
  await wait(waitMs);
  for (const text of typed) {
    onCharacter(key(text));
    await wait(50);
  }
  await wait(500);
  expect(pressed).toEqual([expected]);
});

it.concurrent('Space counts each time, also soon after a key', async () => {
  const pressed: unknown[] = [];
  const { onCharacter } = holdKeys(
    (input) => pressed.push('text' in input && input.text),
    () => undefined,
  );
  await wait(400);
  for (const text of ['y', ' ', ' ', ' ']) {
    onCharacter(key(text));
    await wait(360);
  }
  expect(pressed).toEqual(['y', ' ', ' ', ' ']);
});
