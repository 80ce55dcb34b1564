import { GET_A_MODEL } from '../../contract/vendors.ts';
import { ProviderError } from '../provider.ts';

/** How a person configures a language model, as part of a sentence. */
export const modelSettings = `choose a model with CAPSTAN_PROVIDER: ${GET_A_MODEL.replace('Set', 'set')}`;

/** The offline provider's only failure, which retries can't fix. `problem` is a sentence. */
export const needsModel = (problem: string): ProviderError =>
  notPlanned(`${problem} This needs a language model: ${modelSettings}.`);

/** The same failure, with a message that says what else works. */
export const notPlanned = (message: string): ProviderError =>
  new ProviderError('offline', message, { problem: 'needs_model', retryable: false });
