import { once } from '../platform/once.ts';
import type { Embedder } from './embedder.ts';
import { splitWords } from './static/bert-words.ts';

/** A part of the embedder's version: increment it when the vectors of this file change. */
const EDITION = '2';

const isPlain = /^[\0-\x7f]*$/;

/** Marks and digits have no script of their own. */
const otherWords = once(() => /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+/gu);

/** Whether a text has a letter that is not Latin. */
export const hasOtherScript = (text: string): boolean =>
  !isPlain.test(text) && text.search(otherWords()) >= 0;

/**
 * Splits a text with words in Latin and other letters into two parts, since words of
 * different scripts have nothing in common and dilute each other. Any other text is returned alone.
 */
export function splitByScript(text: string): readonly string[] {
  if (!hasOtherScript(text)) return [text];
  const rest = text.replace(otherWords(), ' ').replace(/\s+/g, ' ').trim();
  return /\p{L}/u.test(rest) ? [rest, text.match(otherWords())?.join(' ') ?? ''] : [text];
}

/**
 * An embedder for texts in any script. The vocabularies are English: words in other scripts are split into single
 * letters, so that for example all Russian texts are near each other. Here, such words are compared
 * by their shared trigrams, each with its own direction; the embedder gets the other words.
 */
export function withOtherScripts(embedder: Embedder): Embedder {
  return {
    ...embedder,
    version: `${embedder.version}+${EDITION}`,
    async embed(texts) {
      if (texts.every((text) => isPlain.test(text))) return embedder.embed(texts);
      const split = texts.map(splitScripts);
      const vectors = await embedder.embed(split.map(({ rest }) => rest));
      return vectors.map((vector, i) => {
        const { other = [], known = 0 } = split[i] ?? {};
        return other.length === 0 ? vector : mixed(vector, known, other);
      });
    },
  };
}

/** The words in other scripts, the text without them, and the number of words in that. */
function splitScripts(text: string) {
  const words = hasOtherScript(text) ? splitWords(text) : [];
  const other = words.filter(isOtherScriptWord);
  if (other.length === 0) return { rest: text, known: 0, other };
  const rest = words.filter((word) => !isOtherScriptWord(word));
  return { rest: rest.join(' '), known: rest.length, other };
}

/** Single Chinese characters are left to the vocabulary. */
const isOtherScriptWord = (word: string): boolean => word.length > 1 && hasOtherScript(word);

/** Weights both kinds of words by their number: the length of a sum of unlike vectors grows with the square root. */
function mixed(vector: Float32Array, known: number, other: readonly string[]): Float32Array {
  const sum = new Float64Array(vector.length);
  for (const word of other) addWord(sum, word);
  const [share, otherShare] = [Math.sqrt(known), Math.sqrt(other.length) / (norm(sum) || 1)];
  const both = sum.map((value, i) => value * otherShare + (vector[i] ?? 0) * share);
  const length = norm(both) || 1;
  return Float32Array.from(both, (value) => value / length);
}

const norm = (vector: Float64Array): number => Math.hypot(...vector);

/** Adds a vector of length one for a word: the sum of the directions of its trigrams. */
function addWord(sum: Float64Array, word: string): void {
  const letters = ['<', ...word, '>'];
  const own = new Float64Array(sum.length);
  for (let at = 0; at + 2 < letters.length; at++) addDirection(own, letters.slice(at, at + 3));
  const length = norm(own) || 1;
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (own[i] ?? 0) / length;
}

/** Adds +1 or −1 in each dimension, by a hash of the letters (FNV-1a, then xorshift). */
function addDirection(sum: Float64Array, letters: readonly string[]): void {
  let bits = 0x811c9dc5;
  for (const letter of letters) bits = Math.imul(bits ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  bits ||= 1;
  for (let i = 0; i < sum.length; i++) {
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    sum[i] = (sum[i] ?? 0) + (bits & 0x10000 ? 1 : -1);
  }
}
