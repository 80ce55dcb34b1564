/**
 * One letter of any script, in patterns with and without the flag `i`. Says what is no letter, since ranges of letters
 * and the flag `u` take ten to a hundred times as long to compile, and a capsule compiles each pattern once.
 */
export const letter =
  '[^\\0-@[-`{-\\u00bf\\u00d7\\u00f7\\u2000-\\u2bff\\u2e00-\\u3004\\u3008-\\u3040\\ud800-\\uf8ff\\uff00-\\uff20\\ufff0-\\uffff]';

/** One letter or digit of any script, or `_`. */
export const wordLetter = `(?:${letter}|[\\d_])`;

/** One character of a file's name or a glob that is not in quotes; pictures count as letters. Never with the flag `i`. */
export const nameCharacter =
  '[\\w\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3041-\\udfff\\uf900-\\ufaff\\uff10-\\uffef.~@+*/-]';
