/**
 * The letters and digits of all common scripts, for the inside of a character class. Written as ranges, since a regular
 * expression with the flag `u` takes many times as long to compile.
 */
export const letters = '\\w\\u00c0-\\u1fff\\u2c00-\\ud7ff';
