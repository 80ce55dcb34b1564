import { ModelHint } from '../../contract/wire/chat.ts';
import type { RunContext } from '../context/run-context.ts';

/** Emits `provider.opened`: when a run starts, and each time it is resumed. */
export function reportProvider({ parts, record, scope }: RunContext): void {
  const { provider, events, canSpend = false } = parts;
  const models = new Set(ModelHint.options.map(provider.modelFor));
  events.emit({
    type: 'provider.opened',
    run_id: record.id,
    provider: provider.name,
    models: provider.isModel ? [...models] : [],
    origin: provider.origin ?? null,
    limit_usd: canSpend ? scope.policy.budget.runMicroUsd / 1e6 : null,
  });
}
