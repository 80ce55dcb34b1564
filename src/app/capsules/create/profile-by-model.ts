import type { CapstanEvent } from '../../../contract/event.ts';
import type { RunContext } from '../../../coordinator/context/run-context.ts';
import type { RunBody } from '../../../coordinator/execute-run.ts';
import { failureOf, reasonOf } from '../../../coordinator/failure.ts';
import { endRun } from '../../../coordinator/life/end-run.ts';
import { profileFor } from '../../../coordinator/route/profile-for.ts';
import { chooseProvider } from '../../../llm/choose-provider.ts';
import type { CapsuleProfile } from '../../../registry/create/capsule-factory.ts';
import { startRun } from '../../runs/start/start-run.ts';
import type { LoadedCapsules } from '../load-capsules.ts';

/**
 * Asks the model to describe a capsule, in a separate run.
 *
 * @returns No profile if there is no model, or it failed; then `problem` says why.
 */
export async function profileByModel(
  loaded: LoadedCapsules,
  description: string,
  onEvent: ModelRun['onEvent'],
) {
  let profile: CapsuleProfile | undefined;
  const body = async (run: RunContext) => {
    profile = await describe(run, description);
  };
  const task = `Describe a capsule: ${description}`;
  const run = await startModelRun(loaded, { task, body, onEvent });
  const { error } = (await run?.finished) ?? {};
  return { profile, problem: error?.message };
}

/** Ends the run in any case: nobody would resume it. */
async function describe(run: RunContext, description: string): Promise<CapsuleProfile | undefined> {
  const { parts, record, scope } = run;
  const end = (ending: Omit<Parameters<typeof endRun>[2], 'answer'>) =>
    endRun(parts, record.id, { answer: null, ...ending });
  try {
    await parts.registry.sync();
    const profile = await profileFor(run, { task: description }, scope.coordinator);
    end({ status: 'completed', reason: null, error: null });
    return profile;
  } catch (error) {
    end({ status: 'failed', reason: reasonOf(error), error: failureOf(error) });
    return undefined;
  }
}

export interface ModelRun {
  readonly task: string;
  /** What the run does. */
  readonly body: RunBody;
  /** Called with every event of the run, for a surface that answers its questions. */
  readonly onEvent: ((event: CapstanEvent) => void) | undefined;
}

/**
 * Starts a run in the user's own database. Its model calls are asked about, budgeted and recorded like those of any other.
 *
 * @returns Undefined if there is no model.
 */
export async function startModelRun({ context, loaded }: LoadedCapsules, run: ModelRun) {
  const choice = await chooseProvider(loaded.settings);
  return choice.name === 'offline' ? undefined : startRun(context, { ...run, loaded });
}
