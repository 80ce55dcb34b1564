/** The classes of model. */
export const modelHints = ['fast', 'balanced', 'best'] as const;
