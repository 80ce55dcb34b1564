/** The reasoning effort of a model; undefined leaves it to the vendor. */
export type Reasoning = 'none' | 'low' | 'medium' | 'high';

/** Reasoning tokens, for models that take a number: at most half of the output. */
export const thinkingTokens = (level: Exclude<Reasoning, 'none'>, maxOutputTokens: number) =>
  Math.min(budgets[level], Math.floor(maxOutputTokens / 2));

const budgets = { low: 1_024, medium: 8_192, high: 24_576 };
