import { describe, expect, it } from 'vitest';
import { readJsonLines, readServerSentEvents } from './stream-events.ts';

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}
async function collect(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('readServerSentEvents', () => {
  it.each([1, 3, 1_000])('reads events from chunks of %i bytes', async (size) => {
    const text =
      ': comment\r\n\r\nevent: x\r\nid: 7\r\ndata: {"a":"é✓"}  \r\n\r\ndata:{"b":\ndata: 2}\n\ndata: {"c":3}';
    expect(await collect(readServerSentEvents(inChunks(text, size)))).toEqual([
      { a: 'é✓' },
      { b: 2 },
      { c: 3 },
    ]);
  });

  it('ends with [DONE] and ignores what follows', async () => {
    const text = 'data: 1\n\ndata: [DONE]\n\ndata: nonsense\n\n';
    expect(await collect(readServerSentEvents(inChunks(text, 5)))).toEqual([1]);
  });

  it.each([
    ['no JSON', 'data: {oops\n\n', /not JSON/],
    ['a line without end', `data: ${'x'.repeat(5 << 20)}`, /event exceeds/],
    ['an event without end', `data: ${'x'.repeat(1 << 20)}\n`.repeat(5), /event exceeds/],
  ])('refuses %s', async (_what, text, message) => {
    await expect(collect(readServerSentEvents(inChunks(text, 65_536)))).rejects.toThrow(message);
  });
});

describe('readJsonLines', () => {
  it.each([1, 7, 1_000])('reads lines from chunks of %i bytes', async (size) => {
    const text = '{"a":"\u2028"}\n\n{"b":"ü"}\r\n{"c":3}';
    expect(await collect(readJsonLines(inChunks(text, size)))).toEqual([
      { a: '\u2028' },
      { b: 'ü' },
      { c: 3 },
    ]);
  });
});
