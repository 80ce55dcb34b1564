import { expect, it } from 'vitest';
import { isCommand } from './submit-line.ts';

it('a command begins with a slash and has its whole name', () => {
  const lines = ['/help', '/model x', '/exit', 'y/quit', 'n/a', 'y/n', 'y/q', '/tmp', '/doc', 'hi'];
  expect(lines.filter(isCommand)).toEqual(['/help', '/model x', '/exit']);
});
