import type { CapstanEvent } from '../../../contract/event.ts';
import type { RunBody } from '../../../coordinator/execute-run.ts';
import { startRun } from '../../runs/start/start-run.ts';
import type { StartedRun } from '../../runs/start/started-run.ts';
import { chooseFor } from '../../wiring/models/choose-for.ts';
import type { LoadedCapsules } from '../load-capsules.ts';

export interface ModelRun {
  readonly task: string;
  /** What the run does. */
  readonly body: RunBody;
  /** Called with every event of the run, for a surface that answers its questions. */
  readonly onEvent?: ((event: CapstanEvent) => void) | undefined;
}

/**
 * Starts a run in the user's own database. Its model calls are asked about, budgeted and recorded like those of any other.
 *
 * @returns Undefined if there is no model.
 */
export async function startModelRun(
  { context, loaded }: LoadedCapsules,
  run: ModelRun,
): Promise<StartedRun | undefined> {
  const choice = await chooseFor(loaded.settings);
  return choice.name === 'offline' ? undefined : startRun(context, { ...run, loaded });
}
