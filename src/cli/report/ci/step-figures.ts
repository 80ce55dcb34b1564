import type { CapstanEvent } from '../../../contract/event.ts';

export type StepFigures = ReturnType<typeof createStepFigures>;

/** Figures that the document of a run lacks: those of each step, and the models. */
export function createStepFigures() {
  const times = new Map<string, number>();
  const costs = new Map<string, number>();
  let models: readonly string[] = [];
  const add = (to: Map<string, number>, id: string, more: number) =>
    void to.set(id, (to.get(id) ?? 0) + more);
  return {
    take(event: CapstanEvent): void {
      if (event.type === 'provider.opened') models = [...new Set(event.models)];
      if (event.type === 'subtask.ended') add(times, event.subtask_id, event.duration_ms);
      if (event.type === 'model.answered') add(costs, event.subtask_id, event.cost_usd);
    },
    /** The sum over all attempts in this process. */
    of: (id: string) => ({ durationMs: times.get(id) ?? 0, costUsd: costs.get(id) ?? 0 }),
    models: () => models,
  };
}
