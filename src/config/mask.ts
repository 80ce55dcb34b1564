import { printable } from '../contract/text/printable.ts';
import type { Raw } from './kinds.ts';

/** A masked secret: enough to tell two apart, too little to use. */
export const maskSecret = (secret: string): string =>
  `********${secret.length >= 20 ? printable(secret.slice(-4)) : ''}`;

/** A value on one line, with masked secrets, and without user and password in an address. */
export function showValue(raw: Raw, isSecret: boolean): string {
  const text = typeof raw === 'string' ? raw : raw.join(', ');
  if (text === '') return '';
  return isSecret ? maskSecret(text.trim()) : printable(hideCredentials(text));
}

/** Up to the last `@` before the path, as in the URL standard. */
const hideCredentials = (text: string): string => text.replace(/\/\/[^/?#\s]*@/g, '//****@');
