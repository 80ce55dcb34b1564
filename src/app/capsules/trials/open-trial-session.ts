import type { TrialRunner } from '../../../authoring/trials/authored-task.ts';
import { runTrial } from '../../../authoring/trials/run-trial.ts';
import { makePlaces } from '../../../config/places.ts';
import type { CapstanEvent } from '../../../contract/event.ts';
import type { StopSignals } from '../../../coordinator/stop/run-stop.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import type { SkillCatalogue } from '../../../registry/overlay/skills.ts';
import { keepSchemas } from '../../wiring/records/keep-schemas.ts';
import { openTrials } from '../../wiring/registry/open-trials.ts';
import { type CapsuleOptions, type LoadedCapsules, skillsReader } from '../load-capsules.ts';
import { openLiveModel } from './open-live-model.ts';

/** Options of the functions that run capsules for their author. */
export interface TrialOptions extends CapsuleOptions {
  /** Asks a real model. Default: only recorded answers. */
  readonly live?: boolean | undefined;
  /** Runs capsules without a sandbox, with the user's rights. Default: false. */
  readonly isIsolationWaived?: boolean | undefined;
  /** Cancels; capsules get time to end. */
  readonly signal?: AbortSignal | undefined;
  /** Kills the capsules' processes immediately. */
  readonly killSignal?: AbortSignal | undefined;
  /** Called with every event of the live model's run, for a surface that answers its questions. */
  readonly onEvent?: ((event: CapstanEvent) => void) | undefined;
  /** Receives the provider of the live model, and why it was chosen. */
  readonly onLive?:
    | ((model: { readonly provider: string; readonly why: string }) => void)
    | undefined;
}

/** The capsule that is tried, and the command that tries it. */
interface TrialSubject {
  readonly capsule: Capsule;
  readonly command: 'check' | 'compare' | 'dev' | 'test';
}

/** Runs trials until it is closed. */
export interface TrialSession extends AsyncDisposable {
  readonly trials: Awaited<ReturnType<typeof openTrials>>;
  readonly runner: TrialRunner;
  /** A runner whose trials also end when `ended` is aborted, without time for their capsules to end. */
  runnerUntil(ended: AbortSignal): TrialRunner;
  readonly skills: SkillCatalogue;
  /** The skills as they are now. */
  readSkills(): Promise<SkillCatalogue>;
  readonly signal: AbortSignal;
}

/**
 * Opens what runs trials of a capsule.
 *
 * @param command Of its author: part of the task of the run that calls of the live model belong to.
 * @throws AppError `ISOLATION_REFUSED`, `ISOLATION_MISSING`; `USAGE` if there is no live model.
 */
export async function openTrialSession(
  loaded: LoadedCapsules,
  { capsule, command }: TrialSubject,
  options: TrialOptions = {},
): Promise<TrialSession> {
  const { settings } = loaded.loaded;
  const { signal = new AbortController().signal, killSignal, live: isLive = false } = options;
  makePlaces(settings.places);
  keepSchemas(settings.places);
  const readSkills = skillsReader(loaded, capsule);
  const skills = await readSkills();
  const { onEvent, isIsolationWaived = false } = options;
  const trials = await openTrials(settings, loaded.context, isIsolationWaived);
  const task = `capsules ${command} ${capsule.id}`;
  const opening = isLive ? openLiveModel(loaded, { task, signal, onEvent }) : undefined;
  const live = await opening?.catch((error: unknown) => {
    trials.close();
    throw error;
  });
  if (live) options.onLive?.({ provider: live.provider, why: live.why });
  const askModel = live?.ask;
  const runnerWith = (signals: StopSignals): TrialRunner => ({
    isLive,
    run: (trial) => runTrial(trials, { ...trial, askModel }, signals),
  });
  return {
    trials,
    runner: runnerWith({ signal, killSignal }),
    runnerUntil: (ended) =>
      runnerWith({
        signal: AbortSignal.any([signal, ended]),
        killSignal: AbortSignal.any([...(killSignal ? [killSignal] : []), ended]),
      }),
    skills,
    readSkills,
    signal,
    async [Symbol.asyncDispose]() {
      await live?.close();
      trials.close();
    },
  };
}
