import type { CapstanEvent } from '../../../contract/event.ts';

/** Figures that the document of a run lacks: those of each step, and the models. */
export interface StepFigures {
  take(event: CapstanEvent): void;
  /** The sum over all attempts in this process. */
  of(subtaskId: string): { readonly durationMs: number; readonly costUsd: number };
  models(): readonly string[];
}

export function createStepFigures(): StepFigures {
  const times = new Map<string, number>();
  const costs = new Map<string, number>();
  let models: readonly string[] = [];
  const add = (to: Map<string, number>, id: string, more: number) =>
    void to.set(id, (to.get(id) ?? 0) + more);
  return {
    take(event) {
      if (event.type === 'provider.opened') models = [...new Set(event.models)];
      if (event.type === 'subtask.ended') add(times, event.subtask_id, event.duration_ms);
      if (event.type === 'model.answered') add(costs, event.subtask_id, event.cost_usd);
    },
    of: (id) => ({ durationMs: times.get(id) ?? 0, costUsd: costs.get(id) ?? 0 }),
    models: () => models,
  };
}
