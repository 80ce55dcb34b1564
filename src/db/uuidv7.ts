import { randomUUID } from 'node:crypto';

/** The end of a version 4 UUID has the same form: `-`, the variant, random digits. */
const VARIANT_AT = 18;

let lastMs = 0;
let counter = 0;
let time = '';

/** A version 7 UUID (RFC 9562). Ids sort by creation time, strictly so within one process. */
export function uuidv7(nowMs: number = Date.now()): string {
  const random = randomUUID();
  if (nowMs > lastMs) {
    startAt(nowMs);
    counter = Number.parseInt(random.slice(0, 3), 16) & 0x7ff;
  } else if (++counter > 0xfff) {
    startAt(lastMs + 1);
    counter = 0;
  }
  const count = counter.toString(16).padStart(3, '0');
  return `${time}-7${count}${random.slice(VARIANT_AT)}`;
}

function startAt(ms: number): void {
  lastMs = ms;
  const digits = ms.toString(16).padStart(12, '0');
  time = `${digits.slice(0, 8)}-${digits.slice(8)}`;
}
