import { expect, it } from 'vitest';
import type { RunDocument } from '../../../app/runs/show/run-document.ts';
import { createStyle } from '../../text/style.ts';
import { unicodeSymbols } from '../terminal/symbols.ts';
import { answerLines } from './result-lines.ts';

const frame = {
  ...{ columns: 80, rows: 23, width: 79, nowMs: 0, isReduced: false },
  ...{ symbols: unicodeSymbols, style: createStyle({}, false) },
};
const remark = (...items: string[]) =>
  `Denied and not done:\n\n- ${items.join('\n- ')}\n\nMy words.`;
const linesOf = (answer: string, denials: number) =>
  answerLines(
    {
      ...{ answer, status: 'failed', reason: 'denied', subtasks: [] },
      denials: Array.from({ length: denials }, () => ({})),
    } as unknown as RunDocument,
    frame,
    false,
  );

it('leaves the remark about an only denial to the closing lines, and shows several', () => {
  expect(linesOf(remark('file_io.delete a.md: no.'), 1)).toEqual(['', 'My words.']);
  expect(linesOf(remark('file_io.delete a.md: no.').replace('\n\nMy words.', ''), 1)).toEqual([]);
  const both = linesOf(remark('file_io.delete a.md: no.', 'file_io.delete b.md: no.'), 2);
  expect(both).toContain('- file_io.delete b.md: no.');
});
