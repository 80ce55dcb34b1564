import { describe, expect, it } from 'vitest';
import { startCpuClock } from '../../../test/setup/cpu-clock.ts';
import { createLineSlice } from './line-slice.ts';

interface Case {
  readonly text: string;
  readonly chunkBytes: number;
  readonly fromLine: number;
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** The same, implemented in the simplest way: from the lines of the whole text. */
function expected({ text, fromLine, maxLines, maxBytes }: Case) {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const before = lines.slice(0, fromLine - 1).join('');
  const wanted = lines.slice(fromLine - 1, fromLine - 1 + maxLines).join('');
  const kept = wanted.slice(0, maxBytes);
  const more = before.length + kept.length < text.length;
  const whole = more ? kept.slice(0, kept.lastIndexOf('\n') + 1) : kept;
  const isCut = more && whole === '';
  return { seen: lines.length, more, lineCut: isCut, kept: isCut ? kept : whole };
}

function sliced({ text, chunkBytes, ...limits }: Case) {
  const slice = createLineSlice(limits);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes)
    slice.take(bytes.subarray(at, at + chunkBytes));
  const { kept, more, lineCut } = slice.done();
  return { seen: slice.seen(), more, lineCut, kept: kept.toString() };
}

const texts = [
  '',
  '\n',
  '\n\n\n',
  'a',
  'a\n',
  'one\ntwo\n\nfour',
  'one\r\ntwo\n',
  'long line here\nb\n',
];

const limits = [1, 2, 3].flatMap((fromLine) =>
  [1, 2, Number.POSITIVE_INFINITY].flatMap((maxLines) =>
    [1, 4, 5, 100].map((maxBytes) => ({ fromLine, maxLines, maxBytes })),
  ),
);

describe('createLineSlice', () => {
  it.each([1, 2, 3, 100])(
    'keeps the right lines of texts that arrive %d bytes at a time',
    (chunkBytes) => {
      for (const one of texts.flatMap((text) =>
        limits.map((limit) => ({ text, chunkBytes, ...limit })),
      ))
        expect(sliced(one), JSON.stringify(one)).toEqual(expected(one));
    },
  );

  it('creates no object per line: 8 MB of newlines take less than a second', () => {
    const bytes = Buffer.alloc(8_000_000, '\n');
    const slice = createLineSlice({
      ...{ fromLine: 1, maxLines: Number.POSITIVE_INFINITY },
      ...{ maxBytes: bytes.length, startLine: 1 },
    });
    const cpuMs = startCpuClock();
    slice.take(bytes);
    expect(slice.done().kept).toHaveLength(bytes.length);
    expect(cpuMs()).toBeLessThan(1_000);
  });
});
