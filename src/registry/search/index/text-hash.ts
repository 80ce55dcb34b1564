import { createHash } from 'node:crypto';

/** SHA-256 of a text in hex, the key of its vectors. */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex');
