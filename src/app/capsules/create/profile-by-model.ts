import type { RunContext } from '../../../coordinator/context/run-context.ts';
import { failureOf, reasonOf } from '../../../coordinator/failure.ts';
import { endRun } from '../../../coordinator/life/end-run.ts';
import { profileFor } from '../../../coordinator/route/profile-for.ts';
import type { CapsuleProfile } from '../../../registry/create/capsule-profile.ts';
import type { LoadedCapsules } from '../load-capsules.ts';
import { type ModelRun, startModelRun } from './start-model-run.ts';

export interface ModelProfile {
  /** Undefined if there is no model, or it failed. */
  readonly profile: CapsuleProfile | undefined;
  /** Why the model did not describe the capsule; undefined if it did, or there is none. */
  readonly problem: string | undefined;
}

/** Asks the model to describe a capsule, in a separate run. */
export async function profileByModel(
  loaded: LoadedCapsules,
  description: string,
  onEvent: ModelRun['onEvent'],
): Promise<ModelProfile> {
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
