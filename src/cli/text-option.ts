/** The text of an option that takes one; undefined if it was not given. */
export const textOption = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
