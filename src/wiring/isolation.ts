import type { Settings } from '../config/settings.ts';
import { AppError } from '../errors.ts';

/** No sandbox is built yet: every child process runs with the rights of the person. */
export const ISOLATION = 'none';

/** What is said at the start of every run. */
export const NO_SANDBOX =
  'Capsules and tools run without a sandbox here (isolation level none): what they execute has your rights. Whatever they ask for is still decided by the broker.';

/** @throws AppError `ISOLATION_REFUSED` where more is wanted than there is. */
export function assertIsolation({ isolation }: Settings): void {
  if (isolation !== 'auto') {
    throw new AppError('ISOLATION_REFUSED', { wanted: isolation, inForce: ISOLATION });
  }
}
