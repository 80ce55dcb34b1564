/** The phrase in a step that refers to the result of an earlier step. */
export const FOUND_BEFORE = 'what was found before';
