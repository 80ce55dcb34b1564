/** The value of a text option; undefined if it was not given. */
export const textOption = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
