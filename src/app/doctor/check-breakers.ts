import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BreakerRow } from '../../broker/money/breaker-store.ts';
import { printable } from '../../contract/text/printable.ts';
import type { AppContext } from '../app-context.ts';
import { type Check, checksOf } from './check.ts';

const { ok, warn } = checksOf('models');

/** Models that are paused after failures. */
export async function checkBreakers(context: AppContext): Promise<Check[]> {
  const rows = await openBreakerRows(context);
  if (rows.length === 0) return [ok('breakers', 'no model is paused')];
  return rows.map(({ provider, model, failures, lastProblem }) => ({
    ...warn(
      'breaker',
      printable(
        `${provider}/${model} is paused after ${failures} failures${lastProblem ? `: ${lastProblem}` : ''}`,
        300,
      ),
      undefined,
    ),
    next: 'reset_breaker',
  }));
}

/** Read without writing; none if the database can't be read, which another check reports. */
export async function openBreakerRows(context: AppContext): Promise<readonly BreakerRow[]> {
  const path = join(context.places.stateDir, 'capstan.db');
  if (!existsSync(path)) return [];
  const { openForReading } = await import('../../db/open-database.ts');
  const { createBreakerStore } = await import('../../broker/money/breaker-store.ts');
  try {
    const { settings } = await context.settings();
    const db = openForReading(path);
    try {
      const rows = createBreakerStore(db, settings.breaker, context.now).list();
      return rows.filter(({ state }) => state.kind === 'open');
    } finally {
      db.close();
    }
  } catch {
    return [];
  }
}
