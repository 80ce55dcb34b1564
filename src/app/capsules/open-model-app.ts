import type { Approver } from '../../broker/questions/approval-store.ts';
import type { Approval } from '../../contract/approval.ts';
import type { RunGraph } from '../../coordinator/run-graph.ts';
import { type App, openApp } from '../open-app.ts';
import type { LoadedCapsules } from './load-capsules.ts';

/**
 * Makes what answers the questions of a run at a surface, for example at a terminal.
 *
 * @param find The current state of a question: it may have been answered elsewhere.
 */
export type ApproverFactory = (find: (id: string) => Approval | undefined) => Approver;

/**
 * Opens what runs a graph in the user's own database. The model calls of such a run are asked about, budgeted and recorded
 * like those of any other.
 */
export async function openModelApp(
  { context, loaded: { settings, project } }: LoadedCapsules,
  graph: RunGraph,
  createApprover: ApproverFactory | undefined,
): Promise<App> {
  const { approvals } = await context.stores();
  const approver = createApprover?.((id) => approvals.find(id));
  return openApp({ settings, project, graph, ...(approver ? { approver } : {}) });
}
