import { lazyApi } from '../../calls/lazy-api.ts';
import type { CheckAccess, CheckCost, SetupCheck } from './check-model.ts';
import type { SetupSelection } from './desired-settings.ts';
import type { SandboxInForce, SetupProvider } from './list-providers.ts';
import type { ServedModels } from './list-served.ts';
import type { SetupProposal } from './propose-changes.ts';
import type { SetupAccess } from './setup-provider.ts';

/**
 * `capstan.setup`: choosing a model and storing its key, in small steps. Only `write` changes anything. Keys passed here are
 * never in a result, and are redacted everywhere from then on. All functions throw AppError `SETTINGS_INVALID`, and `USAGE` for
 * a wrong argument.
 */
export interface SetupApi {
  /** Whether no model is chosen: no provider is set, no key or server on this machine is, and no Ollama answers there. */
  isNeeded(): Promise<boolean>;
  /** The sandbox in force. */
  sandbox(): Promise<SandboxInForce>;
  /** All choices, in the order to show them. */
  providers(): Promise<readonly SetupProvider[]>;
  /** Asks a provider for its models with this key, free of charge. */
  models(access: SetupAccess): Promise<ServedModels>;
  /** The most that `check` costs. Sends nothing. */
  checkCost(access: CheckAccess): Promise<CheckCost>;
  /**
   * Asks one model for one token, decided, budgeted and recorded as in a run. To call it is the consent to spend what
   * `checkCost` says.
   */
  check(access: CheckAccess): Promise<SetupCheck>;
  /** The changes that a choice makes in the user's files. @throws AppError `SETTINGS_NOT_WRITTEN`. */
  propose(selection: SetupSelection): Promise<SetupProposal>;
  /**
   * Writes a proposal of this process: each file atomically and with mode 0600.
   *
   * @throws AppError `SETTINGS_NOT_WRITTEN` if a file changed since it was proposed; `PLACE_UNUSABLE`.
   */
  write(proposal: SetupProposal): Promise<void>;
}

export const setupApi = lazyApi<SetupApi>({
  isNeeded: async () => (await import('./list-providers.ts')).isSetupNeeded,
  sandbox: async () => (await import('./list-providers.ts')).sandboxInForce,
  providers: async () => (await import('./list-providers.ts')).listProviders,
  models: async () => (await import('./list-served.ts')).listServed,
  checkCost: async () => (await import('./check-model.ts')).costOfCheck,
  check: async () => (await import('./check-model.ts')).checkModel,
  propose: async () => (await import('./propose-changes.ts')).proposeChanges,
  write: async () => (await import('./propose-changes.ts')).writeProposal,
});
