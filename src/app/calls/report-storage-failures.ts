import { join } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { AppContext } from '../context/open-context.ts';

type Call = (...args: unknown[]) => unknown;

/** The same functions; a failure of SQLite in them becomes `DATABASE_FAILED` or `DATABASE_UNREADABLE`. */
export function reportStorageFailures<T extends object>(api: T, context: AppContext): T {
  const explain = (error: unknown) => explainFailure(error, context);
  const reporting =
    (call: Call): Call =>
    (...args) => {
      const result = call(...args);
      if (result instanceof Promise) return result.catch(explain);
      return isIterator(result) ? reportingIterator(result, explain) : result;
    };
  const calls = Object.entries(api).map(([name, call]) => [name, reporting(call as Call)]);
  return Object.fromEntries(calls) as T;
}

/** Throws the error that names the database and what to do, or the same error if SQLite did not fail. */
export async function explainFailure(error: unknown, context: AppContext): Promise<never> {
  if (error instanceof AppError) throw error;
  const { isStorageFailure, storageError } = await import('../../db/health/storage-failure.ts');
  if (!isStorageFailure(error)) throw error;
  const stores = await context.stores().catch(() => undefined);
  // A database that was opened for reading only: why it was says more than its refusal to be written.
  throw stores?.unwritable ?? storageError(error, join(context.places.stateDir, 'capstan.db'));
}

const isIterator = (value: unknown): value is AsyncIterableIterator<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value;

function reportingIterator(
  iterator: AsyncIterableIterator<unknown>,
  explain: (error: unknown) => Promise<never>,
): AsyncIterableIterator<unknown> {
  return {
    next: () => iterator.next().catch(explain),
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
