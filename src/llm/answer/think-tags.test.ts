import { expect, it } from 'vitest';
import { withoutThoughts } from './think-tags.ts';

it.each([
  ['[', '['],
  ['<', '<'],
  ['<think>x</think>\n<', '<'],
  ['<think>x</think> [T', '[T'],
  ['<think>never ended', ''],
])('of the answer %j, %j is left without thoughts', (text, answer) => {
  expect(withoutThoughts(text)).toBe(answer);
});
