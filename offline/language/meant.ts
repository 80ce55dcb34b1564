import { isArticle, nameWords } from './words.ts';

/** Words that do not distinguish one thing from another. */
const kind =
  /^(?:task|item|entry|point|todo|line|row|heading|section|file|part|one|about|for|of|in|to|with)$/;

/** Selects the texts that have all words of a name, in any order: `the toner task` means `Order toner and paper`. */
export function meantBy(said: string, texts: readonly string[]): readonly string[] {
  const words = nameWords(said).filter((word) => !isArticle(word) && !kind.test(word));
  if (words.length === 0) return [];
  return texts.filter((text) => {
    const own = new Set(nameWords(text));
    return words.every((word) => own.has(word));
  });
}
