import { type BaseCheckpointSaver, END, START, StateGraph } from '@langchain/langgraph';
import { decomposeTask } from './nodes/decompose-task.ts';
import { executeTaskPool } from './nodes/execute-task-pool.ts';
import { ingestTask } from './nodes/ingest-task.ts';
import { synthesizeFinalResponse } from './nodes/synthesize-final-response.ts';
import { updateRegistryAndAudit } from './nodes/update-registry-and-audit.ts';
import { validateOutputs } from './nodes/validate-outputs.ts';
import type { RunContext } from './run-context.ts';
import { RunState } from './state.ts';

/** The run as a table of contents. Each node lives in the file of its name. */
export const buildGraph = (run: RunContext, checkpointer: BaseCheckpointSaver) =>
  new StateGraph(RunState)
    .addNode('ingest_task', ingestTask(run))
    .addNode('decompose_task', decomposeTask(run))
    .addNode('execute_task_pool', executeTaskPool(run))
    .addNode('validate_outputs', validateOutputs(run))
    .addNode('update_registry_and_audit', updateRegistryAndAudit(run))
    .addNode('synthesize_final_response', synthesizeFinalResponse(run))
    .addEdge(START, 'ingest_task')
    .addEdge('ingest_task', 'decompose_task')
    .addEdge('decompose_task', 'execute_task_pool')
    .addConditionalEdges(
      'execute_task_pool',
      ({ phase }) => (phase === 'discovery' ? 'decompose_task' : 'validate_outputs'),
      ['decompose_task', 'validate_outputs'],
    )
    .addEdge('validate_outputs', 'update_registry_and_audit')
    .addEdge('update_registry_and_audit', 'synthesize_final_response')
    .addEdge('synthesize_final_response', END)
    .compile({ checkpointer });
