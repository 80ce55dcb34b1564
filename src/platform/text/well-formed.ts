import { mapTexts, someText } from './json-texts.ts';

/**
 * The same value with every lone surrogate replaced by U+FFFD, in names as well; the value itself if there is none. Text
 * with a lone surrogate can't be stored as UTF-8, so it would be read back as a different text than the hashed one.
 */
export function wellFormed<T>(value: T): T {
  return (someText(value, isBroken) ? mapTexts(value, repaired) : value) as T;
}

/** Parses JSON, whose escapes can write lone surrogates, into a well-formed value. @throws SyntaxError */
export function parseWellFormed(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return SURROGATE_ESCAPE.test(text) || !text.isWellFormed() ? wellFormed(value) : value;
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

const isBroken = (text: string): boolean => !text.isWellFormed();
const repaired = (text: string): string => text.toWellFormed();
