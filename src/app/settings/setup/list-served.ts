import { messageOf } from '../../../contract/errors.ts';
import { vendorFacts } from '../../../contract/vendors.ts';
import { ProviderError } from '../../../llm/provider.ts';
import type { AppContext } from '../../context/open-context.ts';
import { assertSelection } from './desired-settings.ts';
import {
  type ModelsByHint,
  providerOf,
  type SetupAccess,
  sameFor,
  settingsWith,
} from './setup-provider.ts';

/** The models of a provider, and the proposed choice. */
export interface ServedModels {
  /** Ids of models that can chat, in the server's order; empty if it has no list. */
  readonly models: readonly string[];
  /** The models to propose; null if a person has to name one. */
  readonly choice: ModelsByHint | null;
  /** Why there is no list. With `key` or `unreachable`, nothing can be said about models; null if there is one. */
  readonly problem: SetupProblem | null;
  /** The address to use: the given one, or that with `/v1` if only there is a list. */
  readonly baseUrl?: string | undefined;
}

export interface SetupProblem {
  /** `key`: the key is wrong or missing. `unreachable`: nothing answers now. `other`: the provider refused for another reason. */
  readonly kind: 'key' | 'unreachable' | 'other';
  /** The provider's own reason, without the key. */
  readonly message: string;
}

/** How long a provider may take to list its models. */
const LIST_TIMEOUT_MS = 10_000;

/**
 * Asks a provider for its models with this key. Costs nothing. A server without a list at its address is also asked at `/v1`.
 *
 * @throws AppError `SETTINGS_INVALID` for a bad base URL.
 */
export async function listServed(context: AppContext, access: SetupAccess): Promise<ServedModels> {
  const listed = await listAt(context, access);
  const given = access.baseUrl?.replace(/\/+$/, '') ?? '';
  const mayBeElsewhere = access.provider === 'server' && !/\/v\d+$/.test(given);
  const isAnswered = listed.problem === null || listed.problem.kind === 'other';
  if (!mayBeElsewhere || listed.models.length > 0 || !isAnswered) return listed;
  const baseUrl = `${given}/v1`;
  const there = await listAt(context, { ...access, baseUrl });
  return there.models.length === 0 ? listed : there;
}

async function listAt(context: AppContext, access: SetupAccess): Promise<ServedModels> {
  const provider = await openAt(context, access, sameFor('any'));
  const defaults = defaultsOf(access);
  const { baseUrl } = access;
  try {
    const served = await provider.listModels(AbortSignal.timeout(LIST_TIMEOUT_MS));
    const models = served.map(({ id }) => id).slice(0, MAX_LISTED);
    return { models, choice: chooseModels(models, defaults) ?? null, problem: null, baseUrl };
  } catch (error) {
    const problem = problemOf(error);
    return { models: [], choice: defaults ?? null, problem, baseUrl };
  } finally {
    provider.close();
  }
}

/** Of a server's list, the rest is left out. */
const MAX_LISTED = 2_000;

/** Opens the provider as a run would once this access was written. */
export async function openAt(context: AppContext, access: SetupAccess, models: ModelsByHint) {
  assertSelection(access);
  if (access.key !== undefined) context.redactor.add([access.key]);
  const { settings } = await context.settings({});
  const { openProvider } = await import('../../../llm/providers.ts');
  return openProvider(providerOf(access.provider), settingsWith(settings, access, models));
}

/** A vendor's default models; undefined for a server with models of its own. */
export const defaultsOf = ({ provider }: Pick<SetupAccess, 'provider'>): ModelsByHint | undefined =>
  vendorFacts(provider)?.models;

/** A failed request as a problem of the setup. */
function problemOf(error: unknown): SetupProblem {
  const message = withoutAdvice(messageOf(error));
  if (!(error instanceof ProviderError)) return { kind: 'other', message };
  if (error.problem === 'auth') return { kind: 'key', message };
  return { kind: unreachable.has(error.problem) ? 'unreachable' : 'other', message };
}

/** Omits the advice to set a key: the person is typing it now. */
export const withoutAdvice = (message: string): string =>
  message.replace(/ Check \w+_API_KEY\.$/, '');

const unreachable: ReadonlySet<string> = new Set([
  'network',
  'timeout',
  'server',
  'overloaded',
  'rate_limit',
]);

/**
 * The models to propose, from those that a server lists; undefined if a person has to choose.
 *
 * @param defaults The vendor's models in force without a setting; undefined for a server that brings its own.
 */
export function chooseModels(listed: readonly string[], defaults: ModelsByHint | undefined) {
  if (defaults) return listed.length === 0 ? defaults : fromList(listed, defaults);
  const [first] = listed;
  if (first === undefined || listed.length > MAX_TO_GUESS_FROM) return undefined;
  return sameFor(first);
}

/** Servers that list more models than this are catalogues. */
const MAX_TO_GUESS_FROM = 5;

/** The defaults that are listed, possibly with a date; otherwise the nearest listed one. */
function fromList(listed: readonly string[], defaults: ModelsByHint): ModelsByHint | undefined {
  const isListed = (model: string) =>
    listed.some(
      (one) => one === model || (/^-\d/.test(one.slice(model.length)) && one.startsWith(model)),
    );
  const known = [defaults.balanced, defaults.best, defaults.fast].find(isListed);
  if (known === undefined) return undefined;
  const orKnown = (model: string) => (isListed(model) ? model : known);
  return {
    fast: orKnown(defaults.fast),
    balanced: orKnown(defaults.balanced),
    best: orKnown(defaults.best),
  };
}
