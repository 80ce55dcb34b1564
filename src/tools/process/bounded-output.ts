export type BoundedOutput = ReturnType<typeof createBoundedOutput>;

/**
 * Keeps the beginning and the end of a stream, and counts all of it.
 *
 * @param maxBytes Bytes to keep: half from the beginning, half from the end.
 */
export function createBoundedOutput(maxBytes: number) {
  const headBytes = Math.ceil(maxBytes / 2);
  const tailBytes = maxBytes - headBytes;
  const head: Buffer[] = [];
  let headHeld = 0;
  let tail: Buffer[] = [];
  let tailHeld = 0;
  let total = 0;

  const keepTail = (chunk: Buffer) => {
    tail.push(chunk);
    tailHeld += chunk.length;
    if (tailHeld <= tailBytes * 2 + 65_536) return;
    const kept = lastBytes(Buffer.concat(tail), tailBytes);
    tail = [Buffer.from(kept)];
    tailHeld = kept.length;
  };

  return {
    take(chunk: Buffer): void {
      total += chunk.length;
      const room = headBytes - headHeld;
      const first = chunk.subarray(0, room);
      if (first.length > 0) head.push(first);
      headHeld += first.length;
      if (chunk.length > first.length) keepTail(chunk.subarray(first.length));
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
      const all = Buffer.concat([...head, ...tail]);
      if (total <= max) return all.toString('utf8');
      const start = all.subarray(0, Math.ceil(max / 2));
      const end = skipPartial(lastBytes(all, Math.floor(max / 2)));
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
