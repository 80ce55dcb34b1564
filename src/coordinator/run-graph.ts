import type { BaseCheckpointSaver } from '@langchain/langgraph/web';
import { buildGraph } from './graph.ts';
import { HeldCheckpoints } from './held-checkpoints.ts';
import type { RunContext } from './run-context.ts';

/** The graph of all runs of this process, and the runs that are under way in it. */
export interface RunGraph {
  /** @param run Held until it has ended. */
  follow(run: RunContext): Promise<void>;
}

/** @param open Opens what keeps the graph's state of a run that leaves off before its end. */
export function createRunGraph(open: () => BaseCheckpointSaver): RunGraph {
  const underWay = new Map<string, RunContext>();
  const contextOf = (id: string) => {
    const run = underWay.get(id);
    if (!run) throw new Error(`run ${id} is not under way in this process`);
    return run;
  };
  const checkpoints = new HeldCheckpoints(open);
  const graph = buildGraph(contextOf, checkpoints);
  return {
    async follow(run) {
      const { id } = run.record;
      underWay.set(id, run);
      try {
        if (!run.isResumed) checkpoints.begin(id);
        const config = { configurable: { thread_id: id }, recursionLimit: 25 };
        const isUnderWay = run.isResumed && (await graph.getState(config)).next.length > 0;
        if (isUnderWay) await run.parts.registry.sync();
        const input = isUnderWay ? null : { runId: id, phase: null, verdict: null };
        // Of all that a graph can tell while it runs, only what a node says by itself: nothing.
        await graph.invoke(input, { ...config, durability: 'exit', streamMode: 'custom' });
        checkpoints.drop(id);
      } finally {
        await checkpoints.keep(id);
        underWay.delete(id);
      }
    },
  };
}
