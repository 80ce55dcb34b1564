/**
 * Stands in for the ids of LangGraph's checkpoints and tasks: the same ids (UUIDs of version 6 and 5), without an array
 * for each of their bytes. A step of a graph makes several.
 */
import { hash, randomBytes } from 'node:crypto';

/** From the beginning of the Gregorian calendar to 1970, in milliseconds. */
const GREGORIAN_MS = 12_219_292_800_000n;

let last = 0n;
let node;

/** Later ones sort behind earlier ones. */
export function uuid6(clockSequence) {
  const now = (BigInt(Date.now()) + GREGORIAN_MS) * 10_000n;
  last = now > last ? now : last + 1n;
  node ??= randomBytes(6).toString('hex');
  const ticks = last.toString(16).padStart(15, '0');
  const sequence = ((clockSequence & 0x3fff) | 0x8000).toString(16);
  return `${ticks.slice(0, 8)}-${ticks.slice(8, 12)}-6${ticks.slice(12)}-${sequence}-${node}`;
}

/** @param namespace A UUID. */
export function uuid5(name, namespace) {
  const bytes = Buffer.concat([Buffer.from(namespace.replace(/-/g, ''), 'hex'), Buffer.from(name)]);
  const hex = hash('sha1', bytes, 'hex');
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
