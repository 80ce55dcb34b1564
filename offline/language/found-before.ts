/** The object of a step that works on the result of an earlier one. */
export const FOUND_BEFORE = 'what was found before';
