import { GET_A_MODEL } from '../../contract/vendors.ts';
import { ProviderError } from '../provider.ts';

/** Says how a person gives a run a language model. */
export const modelSettings = `choose a model with CAPSTAN_PROVIDER: ${GET_A_MODEL.replace('Set', 'set')}`;

/** The offline provider's only failure: it never comes right by trying again. */
export const needsModel = (problem: string): ProviderError =>
  new ProviderError(
    'offline',
    `${problem} Without a language model this can't be done; ${modelSettings}.`,
    {
      problem: 'needs_model',
      retryable: false,
    },
  );
