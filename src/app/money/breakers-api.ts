import type { BreakerStore } from '../../broker/money/breaker-store.ts';
import { usage } from '../../contract/usage.ts';
import { personAt } from '../calls/assert-actor.ts';
import type { AppContext } from '../context/open-context.ts';

/** The failures counted against one model of a provider. */
export interface BreakerSummary {
  readonly provider: string;
  readonly model: string;
  /** `open`: paused; `half_open`: one call may try; `closed`: failed lately, but used. */
  readonly state: 'open' | 'half_open' | 'closed';
  readonly failures: number;
  /** How long it is still paused; 0 unless it is open. */
  readonly restMs: number;
  /** ISO 8601; null if it is closed. */
  readonly openedAt: string | null;
  readonly lastProblem: string | null;
}

export interface ResetBreakers {
  readonly provider: string;
  /** Default: every model of the provider. */
  readonly model?: string | undefined;
  /** The surface that a person resets it at, for the record. */
  readonly by: string;
}

/** `capstan.breakers`: providers that are paused after failures. Its functions throw AppError `SETTINGS_INVALID`. */
export interface BreakersApi {
  list(): Promise<readonly BreakerSummary[]>;
  /**
   * Forgets the failures of a provider, or of one of its models. Returns the reset ones, as `provider/model`.
   *
   * @throws AppError `USAGE` if a name is empty.
   */
  reset(options: ResetBreakers): Promise<readonly string[]>;
}

export const breakersApi = (context: AppContext): BreakersApi => ({
  async list() {
    return (await openBreakers(context)).list().map(summaryOf);
  },
  async reset({ provider, model, by }) {
    if (provider === '' || model === '') throw usage('Name a provider, or a provider and a model.');
    const actor = personAt(by);
    const breakers = await openBreakers(context);
    const { journal, audit } = await context.stores();
    return journal.commit(() => {
      const refs = breakers.reset(provider, model).map((row) => `${row.provider}/${row.model}`);
      for (const ref of refs)
        audit.append({ actor, action: 'breaker.reset', runId: null, ref, detail: {} });
      return refs;
    });
  },
});

const summaryOf = ({
  state,
  ...row
}: ReturnType<BreakerStore['list']>[number]): BreakerSummary => ({
  provider: row.provider,
  model: row.model,
  state: state.kind,
  failures: row.failures,
  restMs: state.kind === 'open' ? state.restMs : 0,
  openedAt: row.openedAt,
  lastProblem: row.lastProblem,
});

async function openBreakers(context: AppContext): Promise<BreakerStore> {
  const { settings } = await context.settings();
  const { createBreakerStore } = await import('../../broker/money/breaker-store.ts');
  const { db } = await context.stores();
  return createBreakerStore(db, settings.breaker, context.now);
}
