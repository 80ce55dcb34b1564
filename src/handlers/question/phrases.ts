/** A list of phrases, written with bars between them; lines may break anywhere at a bar. */
export const phrases = (list: string): readonly string[] =>
  list
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
