import { type BreakerRow, createBreakerStore } from '../../../broker/money/breaker-store.ts';
import { printable } from '../../../contract/text/printable.ts';
import type { AppContext } from '../../context/open-context.ts';
import { type Check, checksOf } from './check.ts';
import { readDatabase } from './read-database.ts';

const { ok, warn } = checksOf('models');

/** Models that are paused after failures. */
export async function checkBreakers(context: AppContext): Promise<Check[]> {
  const rows = await openBreakerRows(context);
  if (rows.length === 0) return [ok('breakers', 'no model is paused')];
  return rows.map(({ provider, model, failures, lastProblem }) => {
    const why = lastProblem ? `: ${lastProblem}` : '';
    const message = `${provider}/${model} is paused after ${failures} failures${why}`;
    return warn('breaker', printable(message, 300), undefined, 'reset_breaker');
  });
}

/** Read without writing. None if the settings are invalid. */
export async function openBreakerRows(context: AppContext): Promise<readonly BreakerRow[]> {
  const { settings } = (await context.settings().catch(() => undefined)) ?? {};
  const rows =
    settings &&
    readDatabase(context.places, (db) =>
      createBreakerStore(db, settings.breaker, context.now).list(),
    );
  return rows?.filter(({ state }) => state.kind === 'open') ?? [];
}
