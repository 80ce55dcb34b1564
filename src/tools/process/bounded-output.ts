/** Keeps the beginning and the end of a stream, and counts all of it. */
export interface BoundedOutput {
  take(chunk: Buffer): void;
  /** All that came, in bytes. */
  bytes(): number;
  truncated(): boolean;
  /**
   * Where something was left out, a line in the middle says how much.
   *
   * @param limit Most of it, in bytes. Default: all that is kept.
   */
  text(limit?: number): string;
}

/** @param maxBytes Most that is kept, in bytes: half of it from the beginning, half from the end. */
export function createBoundedOutput(maxBytes: number): BoundedOutput {
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
    take(chunk) {
      total += chunk.length;
      const room = headBytes - headHeld;
      const first = chunk.subarray(0, room);
      if (first.length > 0) head.push(first);
      headHeld += first.length;
      if (chunk.length > first.length) keepTail(chunk.subarray(first.length));
    },
    bytes: () => total,
    truncated: () => total > maxBytes,
    text(limit = maxBytes) {
      const most = Math.min(limit, maxBytes);
      const all = Buffer.concat([...head, ...tail]);
      if (total <= most) return all.toString('utf8');
      const start = all.subarray(0, Math.ceil(most / 2));
      const end = skipPartial(lastBytes(all, Math.floor(most / 2)));
      const text = new TextDecoder().decode(start, { stream: true });
      return `${text}\n… ${total - most} bytes left out …\n${end.toString('utf8')}`;
    },
  };
}

const lastBytes = (content: Buffer, count: number): Buffer =>
  content.subarray(Math.max(content.length - count, 0));

/** Drops what is left of a UTF-8 character whose beginning was cut off. */
function skipPartial(content: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((content[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return content.subarray(start);
}
