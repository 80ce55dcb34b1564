import { join } from 'node:path';
import * as z from 'zod';
import type { RecordPool } from '../../broker/intent/scope.ts';
import type { CapsuleGate } from '../../broker/questions/gates/capsule-gate.ts';
import { recordedPlanGate } from '../../broker/questions/gates/plan-gate.ts';
import type { RecordedPlans, RunParts } from '../../coordinator/context/run-context.ts';
import { RecordedFailure } from '../../coordinator/failure.ts';
import type { PlanQuestion } from '../../coordinator/plan/make/plan-question.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { SubtaskStore } from '../../coordinator/store/subtasks/subtask-store.ts';
import { noHooks } from '../../hooks/hooks.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import { asRecord, parseJson } from '../../platform/text/parse-json.ts';
import type { CapsuleRunner } from '../../runtime/runner.ts';
import type { Recording } from '../recording/recording.ts';
import { createReplayBroker } from './replay-broker.ts';
import type { ReplayCapsule } from './replay-capsules.ts';
import type { ReplayProgress } from './replay-progress.ts';
import { createReplayRegistry, documentOf } from './replay-registry.ts';
import { createReplayRunner } from './replay-runner.ts';

/** The context of a replay. */
export interface ReplayContext {
  readonly capsules: readonly ReplayCapsule[];
  readonly stores: Stores;
  /** The replay's own temporary folder. */
  readonly dir: string;
  /** Path of the SDK file. */
  readonly sdk: string;
  readonly runCapsule: CapsuleRunner;
}

/** The settings of the run that affect its behaviour. */
const Limits = z.object({
  maxSubtasks: z.int().min(1).max(10_000).catch(20),
  maxAttempts: z.int().min(1).max(100).catch(2),
  maxCapsules: z.int().min(1).max(10_000).catch(20),
  maxIntents: z.int().min(1).max(100_000).catch(400),
  concurrency: z.int().min(1).max(64).catch(4),
  lineBytes: z.int().min(1_024).max(1_073_741_824).catch(4_194_304),
});

/** Longer than the default setting, because this machine may be slower. */
const CAPSULE_TIMEOUT_MS = 300_000;

/** The parts of a run whose broker, registry and capsule runner read from the recording. */
export function replayParts(
  recording: Recording,
  progress: ReplayProgress,
  { stores, capsules, dir, ...options }: ReplayContext,
): Omit<RunParts, 'events'> {
  const { run } = recording;
  const noTokens = { memoryTokens: 0, sessionTokens: 0 };
  return {
    ...stores,
    subtasks: withReceipts(recording, stores.subtasks),
    journal: { ...stores.journal, summariesOf: () => recording.intents },
    files: { ...stores.files, writtenBy: () => recording.files },
    recordedPlans: recordedPlans(recording, progress.own),
    missingOutput: recordedCheck(recording),
    canAnswer: () => true,
    hooks: noHooks,
    broker: createReplayBroker(progress),
    gates: {
      create: () => Promise.reject(new Error('a replay creates no capsule')),
      capsule: recordedGate(recording),
      plan: recordedPlanGate((request) => progress.own.take(undefined, canonicalHash(request))),
    },
    registry: createReplayRegistry(recording, capsules, progress.own),
    tools: new Map(),
    runCapsule: createReplayRunner(progress, options.runCapsule),
    limits: { ...Limits.parse(run.options), capsuleTimeoutMs: CAPSULE_TIMEOUT_MS, ...noTokens },
    paths: {
      sdk: options.sdk,
      agentsDir: join(dir, 'agents'),
      templateDir: dir,
      homeOf: ({ id }) => join(dir, 'homes', id),
    },
    provider: {
      name: run.provider,
      origin: undefined,
      isModel: run.provider !== 'offline',
      modelFor: () => '',
    },
    isolation: run.isolation,
  };
}

/** Adds the recorded routing receipt to each planned subtask, so that nothing is routed again. */
function withReceipts({ subtasks: recorded }: Recording, subtasks: SubtaskStore): SubtaskStore {
  return {
    ...subtasks,
    add(runId, phase, steps) {
      subtasks.add(runId, phase, steps);
      for (const { id } of steps) {
        const receipt = recorded.find((subtask) => subtask.id === id && subtask.route !== null);
        if (!receipt) continue;
        const { capsuleId, taskKind, route } = receipt;
        subtasks.route(runId, id, {
          ...(capsuleId === null ? {} : { capsuleId }),
          ...(taskKind === null ? {} : { taskKind }),
          receipt: route,
        });
      }
    },
  };
}

/** A replay writes no files, so it uses the recorded result of the check. */
const recordedCheck =
  ({ attempts }: Recording): RunParts['missingOutput'] =>
  (step, number) => {
    const recorded = attempts.find((one) => one.subtaskId === step.id && one.number === number);
    return recorded?.error?.code === 'OUTPUT_MISSING' ? recorded.error.message : undefined;
  };

/** A subtask that failed before its first attempt ends as recorded. */
const recordedGate =
  ({ subtasks, attempts }: Recording): CapsuleGate =>
  async ({ subtaskId }) => {
    const recorded = subtasks.find(({ id }) => id === subtaskId);
    const hasAttempt = attempts.some((attempt) => attempt.subtaskId === subtaskId);
    if (hasAttempt || !recorded?.error) return true;
    throw new RecordedFailure(recorded.error, recorded.reason ?? 'subtask_failed');
  };

/** Reads the planner's material, and the points where it planned again, from its recorded calls. */
function recordedPlans(
  { subtasks, attempts }: Pick<Recording, 'subtasks' | 'attempts'>,
  own: RecordPool,
): RecordedPlans {
  const used = new Set<string>();
  const next = () =>
    own
      .left()
      .filter(({ name }) => name === 'plan')
      .map(({ request }) => documentOf(request))
      .find((text) => !used.has(text));
  return {
    material() {
      const text = next() ?? '{}';
      used.add(text);
      const { capsules = [], files, messages } = parse(text);
      return { capsules, ...(files && { files }), ...(messages && { messages }) };
    },
    isHeld: (id) =>
      subtasks.some((one) => one.id === id && one.replacedFor === 'message') &&
      !attempts.some(({ subtaskId }) => subtaskId === id),
    replanReason: () => parse(next() ?? '{}').again,
  };
}

const parse = (text: string) => asRecord(parseJson(text)) as Partial<PlanQuestion>;
