export type BoundedOutput = ReturnType<typeof createBoundedOutput>;

/**
 * Keeps the beginning and the end of a stream, and counts all of it.
 *
 * @param maxBytes Bytes to keep: half from the beginning, half from the end.
 */
export function createBoundedOutput(maxBytes: number) {
  const headBytes = Math.ceil(maxBytes / 2);
  const tailBytes = maxBytes - headBytes;
  /** The beginning, and after it the end as a ring. Chunks are copied: a chunk of one byte needs hundreds. */
  let kept = Buffer.alloc(0);
  let total = 0;

  const keepAt = (at: number, bytes: Buffer) => {
    const end = at + bytes.length;
    if (end > kept.length) {
      const larger = Buffer.alloc(Math.min(maxBytes, Math.max(end, kept.length * 2)));
      kept.copy(larger);
      kept = larger;
    }
    bytes.copy(kept, at);
  };
  const ringAt = (offset: number): number => headBytes + ((offset - headBytes) % tailBytes);
  const keepTail = (chunk: Buffer, offset: number) => {
    const last = lastBytes(chunk, tailBytes);
    if (last.length === 0) return;
    const at = ringAt(offset + chunk.length - last.length);
    keepAt(at, last.subarray(0, maxBytes - at));
    if (last.length > maxBytes - at) keepAt(headBytes, last.subarray(maxBytes - at));
  };
  const all = (): Buffer => {
    if (total <= maxBytes) return kept.subarray(0, total);
    const start = tailBytes === 0 ? maxBytes : ringAt(total);
    const parts = [
      [0, headBytes] as const,
      [start, maxBytes] as const,
      [headBytes, start] as const,
    ];
    return Buffer.concat(parts.map(([from, to]) => kept.subarray(from, to)));
  };

  return {
    take(chunk: Buffer): void {
      const first = chunk.subarray(0, Math.max(headBytes - total, 0));
      if (first.length > 0) keepAt(total, first);
      keepTail(chunk.subarray(first.length), total + first.length);
      total += chunk.length;
    },
    /** The length of the whole stream. */
    bytes: () => total,
    truncated: () => total > maxBytes,
    /**
     * The kept text. If it is cut, a line in the middle says by how much.
     *
     * @param limit Maximum length, in bytes. Default: all that is kept.
     */
    text(limit = maxBytes): string {
      const max = Math.min(limit, maxBytes);
      const bytes = all();
      if (total <= max) return bytes.toString('utf8');
      const start = bytes.subarray(0, Math.ceil(max / 2));
      const end = skipPartial(lastBytes(bytes, Math.floor(max / 2)));
      const text = new TextDecoder().decode(start, { stream: true });
      return `${text}\n… ${total - max} bytes left out …\n${end.toString('utf8')}`;
    },
  };
}

const lastBytes = (content: Buffer, count: number): Buffer =>
  content.subarray(Math.max(content.length - count, 0));

/** Drops the rest of a UTF-8 character whose beginning was cut off. */
export function skipPartial(content: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((content[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return content.subarray(start);
}
