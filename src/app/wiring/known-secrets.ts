import type { LoadedServices } from '../../config/configured-apis.ts';
import type { Settings } from '../../config/settings.ts';
import { createRedactor, type Redactor } from '../../policy/redact.ts';

/** Knows every value that nobody but its own host may see: keys of models, and credentials of services. */
export const redactorFor = (
  { keys }: Pick<Settings, 'keys'>,
  services: LoadedServices['services'],
): Redactor =>
  createRedactor(
    [...Object.values(keys), ...services.map(({ credential }) => credential?.secret)].filter(
      (secret) => secret !== undefined,
    ),
  );

/** Where the settings can't be read: every variable that is called a key, a token, a secret or a password. */
export const redactorOfNames = (
  environment: Readonly<Record<string, string | undefined>>,
): Redactor =>
  createRedactor(
    Object.entries(environment).flatMap(([name, value = '']) =>
      /(KEY|TOKEN|SECRET|PASSWORD)$/i.test(name) ? [value] : [],
    ),
  );
