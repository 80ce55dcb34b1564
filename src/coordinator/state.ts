import { Annotation } from '@langchain/langgraph/web';
import type { Reason } from '../contract/status.ts';
import type { Phase } from './plan/plan.ts';

export interface Verdict {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly reason: Reason | null;
}

/** The state that the graph passes from node to node: ids and short words. Results and files are rows of the journal. */
export const RunState = Annotation.Root({
  runId: Annotation<string>,
  /** decompose_task: the phase whose steps run next. Null before the first plan. */
  phase: Annotation<Phase | null>,
  /** decompose_task: the run has ended with its plan. */
  isOver: Annotation<boolean>,
  /** validate_outputs */
  verdict: Annotation<Verdict | null>,
});
export type RunState = typeof RunState.State;
export type RunUpdate = typeof RunState.Update;
