import { expect, it } from 'vitest';
import { closest } from './closest.ts';

const known = ['openai', 'anthropic', 'ollama', 'budget.run_usd'];

it.each([
  ['opanai', 'openai'],
  ['OpenAI', 'openai'],
  ['olama', 'ollama'],
  ['budget.run_uds', 'budget.run_usd'],
  ['mistral', undefined],
  ['', undefined],
  ['x'.repeat(100_000), undefined],
])('finds what %.20s was meant to be', (written, meant) => {
  expect(closest(written, known)).toBe(meant);
});
