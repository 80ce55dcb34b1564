/** Every provider of model calls by the name that settings give it. */
export const providerNames = ['offline', 'openai', 'anthropic', 'gemini', 'ollama'] as const;

export type ProviderName = (typeof providerNames)[number];

/** The ones that are asked over a network. */
export const vendorNames: readonly string[] = providerNames.filter((name) => name !== 'offline');
