import { Runnable } from '@langchain/core/runnables';
import { type BaseCheckpointSaver, END, START, StateGraph } from '@langchain/langgraph/web';
import type { RunContext } from './context/run-context.ts';
import { judgeRun } from './final/judge-run.ts';
import { decomposeTask } from './nodes/decompose-task.ts';
import { executeTaskPool } from './nodes/execute-task-pool.ts';
import { ingestTask } from './nodes/ingest-task.ts';
import { synthesizeFinalResponse } from './nodes/synthesize-final-response.ts';
import { updateRegistryAndAudit } from './nodes/update-registry-and-audit.ts';
import { RunState, type RunUpdate } from './state.ts';
import { endedBy } from './stop/run-stop.ts';

/** A node of one run. */
export type RunNode = (run: RunContext, state: RunState) => Promise<RunUpdate>;

/** A plain function. LangGraph's wrapper adds tags, callbacks and a context, which cost more than the rest of a step. */
class PlainNode extends Runnable<RunState, RunUpdate> {
  override readonly lc_namespace = ['capstan'];
  override readonly invoke: (state: RunState) => Promise<RunUpdate>;

  constructor(act: (state: RunState) => Promise<RunUpdate>) {
    super();
    this.invoke = act;
  }
}

/**
 * The graph of a run. Each node is in the file of its name. One graph serves every run of a process.
 *
 * @param bind Looks up the run that the state names.
 */
export function buildGraph(
  bind: (node: RunNode) => (state: RunState) => Promise<RunUpdate>,
  checkpointer: BaseCheckpointSaver,
) {
  const inRun = (node: RunNode) => new PlainNode(bind(node));
  return new StateGraph(RunState)
    .addNode('ingest_task', inRun(ingestTask))
    .addNode('decompose_task', inRun(decomposeTask))
    .addNode('execute_task_pool', inRun(executeTaskPool))
    .addNode('validate_outputs', inRun(validateOutputs))
    .addNode('update_registry_and_audit', inRun(updateRegistryAndAudit))
    .addNode('synthesize_final_response', inRun(synthesizeFinalResponse))
    .addEdge(START, 'ingest_task')
    .addEdge('ingest_task', 'decompose_task')
    .addConditionalEdges('decompose_task', ({ isOver }) => (isOver ? END : 'execute_task_pool'), [
      'execute_task_pool',
      END,
    ])
    .addConditionalEdges(
      'execute_task_pool',
      ({ phase }) => (phase === 'discovery' ? 'decompose_task' : 'validate_outputs'),
      ['decompose_task', 'validate_outputs'],
    )
    .addEdge('validate_outputs', 'update_registry_and_audit')
    .addEdge('update_registry_and_audit', 'synthesize_final_response')
    .addEdge('synthesize_final_response', END)
    .compile({ checkpointer });
}

/** Node: judges the run from its rows. Writes `verdict`. */
const validateOutputs: RunNode = async ({ parts, record, signal }) => ({
  verdict: judgeRun({
    subtasks: parts.subtasks.of(record.id),
    intents: parts.journal.summariesOf(record.id),
    stoppedBy: endedBy(signal),
  }),
});
