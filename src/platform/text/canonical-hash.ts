import { hash } from 'node:crypto';

/**
 * JSON with the keys of every object in code-unit order, so that equal values have equal texts. Members that are
 * undefined are omitted.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner === undefined) continue;
    text += `${text === '' ? '' : ','}${quote(key)}:${canonicalJson(inner)}`;
  }
  return `{${text}}`;
}

/** Characters that JSON does not escape. */
const PLAIN = /^[ !#-[\]-~]{0,64}$/;

/** A fast path: most texts are short and need no escapes. */
const quote = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** SHA-256, in hexadecimal, of bytes or of a text as UTF-8. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content, 'hex');

/** SHA-256, in hexadecimal, of the canonical JSON of a value. */
export const canonicalHash = (value: unknown): string => sha256(canonicalJson(value));
