import { expect, it } from 'vitest';
import { unicodeSymbols } from '../../terminal/symbols.ts';
import { newestResumable } from '../runs/newest-resumable.ts';
import { idleHint } from './idle-hint.ts';

const facts = {
  folder: '…/a-longer-project-folder',
  model: 'claude-sonnet-5',
  sandbox: 'sandbox A',
  spent: '$0.14 of $10 today',
  waiting: 2,
};

it.each([
  [120, '$0.14 of $10 today · 2 questions: /approvals · / menu · ? keys'],
  [100, '· claude-sonnet-5 · sandbox A · 2 questions: /approvals · / menu · ? keys'],
  [70, 'sandbox A · 2 questions: /approvals · / menu · ? keys'],
  [40, '2 questions: /approvals · / menu · ? keys'],
])('the idle hint at %i columns leaves out whole facts, and keeps the keys', (width, end) => {
  const hint = idleHint(facts, unicodeSymbols, width);
  expect(hint.endsWith(end)).toBe(true);
});

it.each([
  [80, 0, 'claude-sonnet-5 · no sandbox · $0.14 of $10 today · parked: /resume · ? keys'],
  [80, 1, 'no sandbox · parked: /resume · 1 question: /approvals · ? keys'],
  [40, 1, 'parked: /resume · 1 question: /approvals · ? keys'],
])('the idle hint at %i columns names a parked run and %i questions', (columns, waiting, line) => {
  const parked = { ...facts, sandbox: 'no sandbox', hasParked: true, waiting };
  expect(idleHint(parked, unicodeSymbols, columns - 2)).toBe(line);
});

it('/resume continues the newest parked run, or the newest run if that failed', () => {
  const [parked, failed, done] = [
    { status: 'parked' },
    { status: 'failed' },
    { status: 'completed' },
  ] as const;
  expect(newestResumable([parked, done])).toBe(parked);
  expect(newestResumable([parked, failed])).toBe(failed);
  expect(newestResumable([failed, done])).toBeUndefined();
});
