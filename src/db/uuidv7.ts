import { randomUUID } from 'node:crypto';

let lastMs = 0;
let counter = 0;

/** A version 7 UUID (RFC 9562). Ids sort by creation time, strictly so within one process. */
export function uuidv7(nowMs: number = Date.now()): string {
  // Without its digits for version and variant.
  const random = randomUUID().replace(/-.*-/, '');
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = Number.parseInt(random.slice(0, 3), 16) & 0x7ff;
  } else if (++counter > 0xfff) {
    lastMs += 1;
    counter = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const count = counter.toString(16).padStart(3, '0');
  const variant = ((Number.parseInt(random.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}
