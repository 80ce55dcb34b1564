import { afterEach, expect, it } from 'vitest';
import { openScreen, type Screen } from './open-screen.ts';

let screen: Screen | undefined;
afterEach(() => screen?.kill());

it('a pseudo-terminal shows the output of a program and passes on the input', async () => {
  screen = openScreen({
    program: 'sh',
    args: ['-c', 'stty size; read line; echo "typed: $line"; exit 3'],
    cwd: import.meta.dirname,
    columns: 60,
    rows: 10,
  });
  await screen.shows('10 60');
  screen.type('hello\r');
  await screen.shows('typed: hello');
  expect(await screen.ended).toBe(3);
});
