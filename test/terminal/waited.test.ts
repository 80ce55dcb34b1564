import { expect, it } from 'vitest';
import { closingLines } from '../../src/cli/report/closing-lines.ts';
import { brokenRunDocument } from '../../src/cli/run/surfaces/print-run.ts';

const document = {
  ...brokenRunDocument(new Error('nobody knows')),
  ...{ status: 'completed', duration_ms: 384_000 },
};

it.each([
  ['says how much of it was waiting for the person', 381_400, ' (6 min 21 s waiting for you)'],
  ['says nothing about an answer that was given soon', 4_000, ''],
])('the closing line has the duration of the run, and %s', (_what, waitedMs, words) => {
  const { outcome } = closingLines(document, { changes: undefined, at: 'conversation', waitedMs });
  expect(outcome[0]).toBe(`Done in 6 min 24 s${words}`);
});
