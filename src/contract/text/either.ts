/** `a, b or c`. */
export const either = (words: readonly string[]): string =>
  words.join(', ').replace(/, ([^,]*)$/, ' or $1');
