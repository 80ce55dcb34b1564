import { expect, it } from 'vitest';
import { resultSummary } from '../perform-subtask.ts';

it.each<[string, unknown, string | undefined]>([
  ['takes the first sentence', 'total() rounds once. The tests pass.', 'total() rounds once'],
  ['reads the text of a document', { text: 'Saved it as a.csv.' }, 'Saved it as a.csv'],
  ['joins the lines of a paragraph', 'Two of\nfourteen fail\n\nMore', 'Two of fourteen fail'],
  ['keeps a version number whole', 'Uses v1.2.3 now', 'Uses v1.2.3 now'],
  ['finds no sentence in a table', '| a |\n|---|\n| 1 |', undefined],
  ['finds no sentence in a list', '- one\n- two', undefined],
  ['finds no sentence in a number list', '1. one', undefined],
  ['finds nothing in an empty text', ' \n', undefined],
  ['finds nothing in other values', { rows: 3 }, undefined],
  ['finds nothing in no value', undefined, undefined],
])('%s', (_title, result, summary) => {
  expect(resultSummary(result)).toBe(summary);
});

it('is bounded', () => {
  expect(resultSummary('x'.repeat(10_000))).toHaveLength(300);
});
