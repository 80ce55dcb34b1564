import { expect, it } from 'vitest';
import { AppError, type ErrorDetails } from '../../contract/errors.ts';
import { correctedRun } from './corrected-run.ts';

const failed = (description: string, details: ErrorDetails<'FILE_MISSING'>) => {
  const { code, message } = new AppError('FILE_MISSING', details);
  return { description, error: { code, message } };
};
const missing = { path: 'oders.csv', kind: 'file', meant: 'orders.csv' } as const;

it('names the file that was probably meant', () => {
  const subtasks = [failed('Count the "rows" of oders.csv', missing)];
  expect(correctedRun({ subtasks })).toBe('capstan run "Count the \\"rows\\" of orders.csv"');
});

it.each([
  ['no file has a similar name', [failed('Count oders.csv', { path: 'oders.csv', kind: 'file' })]],
  ['the task does not name it', [failed('Count the rows', missing)]],
  [
    'the task names it in full',
    [failed('Count q"uote.csv', { path: 'uote.csv', kind: 'file', meant: 'q"uote.csv' })],
  ],
  ['there are several steps', [failed('Count oders.csv', missing), failed('Count', missing)]],
  ['nothing failed', [{ description: 'Count oders.csv', error: null }]],
])('is nothing if %s', (_what, subtasks) => {
  expect(correctedRun({ subtasks })).toBeUndefined();
});
