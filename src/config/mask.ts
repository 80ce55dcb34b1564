import { printable } from '../contract/text/printable.ts';
import type { Raw } from './kinds.ts';

/** A secret for a person's eyes: enough to tell two apart, too little to use. */
export const maskSecret = (secret: string): string =>
  `********${secret.length >= 20 ? printable(secret.slice(-4)) : ''}`;

/** A value for a person's eyes, on one line: a secret masked, and no user and password in an address. */
export function showValue(raw: Raw, isSecret: boolean): string {
  const text = typeof raw === 'string' ? raw : raw.join(', ');
  if (text === '') return '';
  return isSecret ? maskSecret(text.trim()) : printable(hideCredentials(text));
}

/** Up to the last `@` before the path, as the URL standard reads it. */
const hideCredentials = (text: string): string => text.replace(/\/\/[^/?#\s]*@/g, '//****@');
