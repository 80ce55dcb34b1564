import { describe, expect, it } from 'vitest';
import { type Progress, progressText } from '../run/surfaces/progress-line.ts';

const bytes = (changes: Partial<Progress> = {}): Progress => ({
  done: 12_400_000,
  total: 36_000_000,
  unit: 'bytes',
  doneBefore: 0,
  elapsedMs: 4_000,
  ...changes,
});

describe('a line of progress', () => {
  it.each([
    [
      'names share, amount, rate and time left',
      bytes(),
      '████░░░░░░░░ 34 % · 12 MB of 36 MB · 3.1 MB/s · 8 s left',
    ],
    [
      'counts the rate of this download only',
      bytes({ doneBefore: 12_000_000 }),
      '████░░░░░░░░ 34 % · 12 MB of 36 MB · 100 KB/s · 3 min 56 s left',
    ],
    [
      'says no rate before there is one',
      bytes({ elapsedMs: 100 }),
      '████░░░░░░░░ 34 % · 12 MB of 36 MB',
    ],
    [
      'says no time if nothing comes',
      bytes({ doneBefore: 12_400_000 }),
      '████░░░░░░░░ 34 % · 12 MB of 36 MB',
    ],
    [
      'counts texts',
      bytes({ unit: 'texts', done: 120, total: 300 }),
      '████░░░░░░░░ 40 % · 120 of 300 · 30/s · 6 s left',
    ],
    ['begins at nothing', bytes({ done: 0, total: 0 }), '░░░░░░░░░░░░ 0 % · 0 bytes of 0 bytes'],
    [
      'is not over the end',
      bytes({ done: 37, total: 36, elapsedMs: 0 }),
      '████████████ 100 % · 37 bytes of 36 bytes',
    ],
  ])('%s', (_what, progress, text) => {
    expect(progressText(progress)).toBe(text);
  });

  it('can be ASCII', () => {
    expect(progressText(bytes(), true)).toBe(
      '####........ 34 %, 12 MB of 36 MB, 3.1 MB/s, 8 s left',
    );
  });
});
