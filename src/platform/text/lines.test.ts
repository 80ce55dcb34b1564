import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, LineSplitter, toLine } from './lines.ts';

interface Split {
  readonly lines: string[];
  tooLong: number;
}

/** Feeds the chunks, and ends. */
function split(chunks: readonly Uint8Array[], maxBytes = 1_000_000): Split {
  const seen: Split = { lines: [], tooLong: 0 };
  const splitter = new LineSplitter({
    maxBytes,
    onLine: (line) => seen.lines.push(decodeUtf8(line) ?? 'not UTF-8'),
    onTooLong: () => {
      seen.tooLong += 1;
    },
  });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return seen;
}

const pieces = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const at = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end));
};

/** Text of one line: anything but LF, and no CR at its end. */
const lineText = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((text) => text.replaceAll('\n', '').replace(/\r+$/, ''));

describe('LineSplitter', () => {
  it('finds the same lines however the bytes are split into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(lineText, fc.constantFrom('\n', '\r\n')), { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (parts, cuts) => {
          const bytes = Buffer.from(parts.map(([text, end]) => text + end).join(''));
          const at = cuts.map((cut) => cut % (bytes.length + 1));
          expect(split(pieces(bytes, at)).lines).toEqual(parts.map(([text]) => text));
        },
      ),
    );
  });

  it('is decoded correctly at every single split of a line with many alphabets', () => {
    const text = 'a\u2028\u2029\u0085é€😀\u000b\rz';
    const bytes = Buffer.from(`${text}\r\n${text}\n`);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(split(pieces(bytes, [cut])).lines).toEqual([text, text]);
    }
    expect(split([...bytes].map((byte) => Buffer.of(byte))).lines).toEqual([text, text]);
  });

  it.each([
    ['in one chunk', [Buffer.from('12345\n123456\n12\n')]],
    ['in many', [...'12345\n123456\n12\n'].map((char) => Buffer.from(char))],
    ['without an end', [Buffer.from('12345\n'), Buffer.from('1234'), Buffer.from('5678')]],
  ])(
    'discards a line that is longer than the limit, %s, and everything after it',
    (_how, chunks) => {
      expect(split(chunks, 5)).toEqual({ lines: ['12345'], tooLong: 1 });
    },
  );

  it('returns the text after the last LF only at the end', () => {
    expect(split([Buffer.from('a\nb')]).lines).toEqual(['a', 'b']);
    expect(split([Buffer.from('a\n')]).lines).toEqual(['a']);
    expect(split([]).lines).toEqual([]);
  });

  it('keeps empty lines', () => {
    expect(split([Buffer.from('\n\r\n\n')]).lines).toEqual(['', '', '']);
  });
});

describe('decodeUtf8', () => {
  it('recognises invalid UTF-8: half a character, a lone surrogate, an overlong form', () => {
    const bad = [[0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xff]];
    for (const bytes of bad) expect(decodeUtf8(Buffer.from(bytes))).toBeUndefined();
    expect(decodeUtf8(Buffer.from('é'))).toBe('é');
  });
});

it('toLine makes one line of anything', () => {
  expect(toLine({ text: 'a\nb\r\u2028' })).toBe('{"text":"a\\nb\\r\u2028"}\n');
});
