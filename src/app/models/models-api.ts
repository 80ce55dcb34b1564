import type { AppContext } from '../app-context.ts';

/** `capstan.models`: models of the providers, and embedding models. */
// biome-ignore lint/suspicious/noEmptyInterface: filled command by command
export interface ModelsApi {}

export const modelsApi = (_context: AppContext): ModelsApi => ({});
