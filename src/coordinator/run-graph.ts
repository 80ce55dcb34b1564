import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { buildGraph } from './graph.ts';
import type { RunContext } from './run-context.ts';

/** The graph of all runs of this process, and the runs that are under way in it. */
export interface RunGraph {
  /** @param run Held until it has ended. */
  follow(run: RunContext): Promise<void>;
}

/** @param checkpointer Keeps the graph's state while a run is under way. */
export function createRunGraph(checkpointer: BaseCheckpointSaver): RunGraph {
  const underWay = new Map<string, RunContext>();
  const contextOf = (id: string) => {
    const run = underWay.get(id);
    if (!run) throw new Error(`run ${id} is not under way in this process`);
    return run;
  };
  const graph = buildGraph(contextOf, checkpointer);
  return {
    async follow(run) {
      const { id } = run.record;
      underWay.set(id, run);
      try {
        await graph.invoke(
          { runId: id, phase: null, verdict: null },
          { configurable: { thread_id: id }, recursionLimit: 25, durability: 'exit' },
        );
        await checkpointer.deleteThread(id);
      } finally {
        underWay.delete(id);
      }
    },
  };
}
