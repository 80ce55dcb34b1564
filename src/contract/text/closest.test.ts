import { expect, it } from 'vitest';
import { closest } from './closest.ts';

const known = [
  'openai',
  'anthropic',
  'ollama',
  'budget.run_usd',
  'A',
  'CAPSTAN_HOME',
  'CAPSTAN_HOSTS',
  'run',
];

it.each([
  ['opanai', 'openai'],
  ['OpenAI', 'openai'],
  ['olama', 'ollama'],
  ['budget.run_uds', 'budget.run_usd'],
  ['rnu', 'run'],
  ['mistral', undefined],
  ['CAPSTAN_HOST', 'CAPSTAN_HOSTS'],
  ['CAPSTN_HOME', 'CAPSTAN_HOME'],
  ['CAPSTAN_NOPE', undefined],
  ['D', undefined],
  ['', undefined],
  ['x'.repeat(100_000), undefined],
])('finds what %.20s was meant to be', (written, meant) => {
  expect(closest(written, known)).toBe(meant);
});
