import { key as keyKind, url, word } from '../../config/kinds.ts';
import { AppError } from '../../contract/errors.ts';
import type { SetupSelection } from './desired-settings.ts';
import { keyNameOf, setupChoices } from './setup-provider.ts';

/** @throws AppError `USAGE`, naming the field. */
export function assertSelection({ provider, key, baseUrl, models }: SetupSelection): void {
  if (!setupChoices.includes(provider))
    throw invalid(
      'provider',
      `There is no provider "${provider}". Choose one of ${setupChoices.join(', ')}.`,
    );
  if (key !== undefined) assertKey(provider, key);
  if (provider === 'server' && baseUrl === undefined)
    throw invalid(
      'baseUrl',
      'The address of the server is missing, such as http://127.0.0.1:8000/v1.',
    );
  if (baseUrl !== undefined) assertBaseUrl(baseUrl);
  for (const model of Object.values(models ?? {})) assertModel(model);
}

function assertKey(provider: SetupSelection['provider'], key: string): void {
  if (keyNameOf(provider) === undefined)
    throw invalid('key', `${provider} takes no key. Leave it out.`);
  if (!keyKind.schema().safeParse(key).success)
    throw invalid('key', `A key must be ${keyKind.expects}. Copy it again.`);
}

/** @throws AppError `USAGE`. */
export function assertBaseUrl(baseUrl: string): void {
  if (url.schema().safeParse(baseUrl).success) return;
  throw invalid(
    'baseUrl',
    `"${baseUrl}" must be ${url.expects}, such as http://127.0.0.1:8000/v1.`,
  );
}

/** @throws AppError `USAGE`. */
function assertModel(model: string): void {
  const kind = word("the provider's name of a model, up to 200 characters without spaces");
  if (kind.schema().safeParse(model).success) return;
  throw invalid('models', `"${model}" must be ${kind.expects}.`);
}

const invalid = (field: string, problem: string) => new AppError('USAGE', { problem, field });
