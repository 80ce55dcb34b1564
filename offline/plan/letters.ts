/**
 * One letter of any script, in patterns with and without the flag `i`. It excludes what is not a letter, since ranges of
 * letters with the flag `u` take ten to a hundred times as long to compile, and a run uses each pattern once.
 */
export const letter =
  '[^\\0-@[-`{-\\u00bf\\u00d7\\u00f7\\u2000-\\u2bff\\u2e00-\\u3004\\u3008-\\u3040\\ud800-\\uf8ff\\uff00-\\uff20\\ufff0-\\uffff]';
