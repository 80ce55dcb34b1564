import { expect, it } from 'vitest';
import { unicodeSymbols } from '../../terminal/symbols.ts';
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
  [70, 'a-longer-project-folder · 2 questions: /approvals · / menu · ? keys'],
  [40, '2 questions: /approvals · / menu · ? keys'],
])('the idle hint at %i columns leaves out whole facts, and keeps the keys', (width, end) => {
  const hint = idleHint(facts, unicodeSymbols, width);
  expect(hint.endsWith(end)).toBe(true);
});

it('the idle hint says what the next line does while the session has a parked run', () => {
  expect(idleHint({ ...facts, hasParked: true }, unicodeSymbols, 80)).toBe(
    'Enter starts a new task · /resume continues the parked one · / menu · ? keys',
  );
});
