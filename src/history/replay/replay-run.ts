import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import * as z from 'zod';
import { type Policy, policyOf } from '../../broker/rules/policy-snapshot.ts';
import { AppError, messageOf } from '../../contract/errors.ts';
import { followRun } from '../../coordinator/follow-run.ts';
import { openStores, type Stores } from '../../coordinator/open-stores.ts';
import { leaseFrom, ownIdentity } from '../../coordinator/process-identity.ts';
import type { RunParts } from '../../coordinator/run-context.ts';
import { createRunGraph } from '../../coordinator/run-graph.ts';
import type { RunRecord } from '../../coordinator/run-store.ts';
import type { SubtaskStore } from '../../coordinator/subtask-store.ts';
import { createEventBus } from '../../events/bus.ts';
import { noHooks } from '../../hooks/hooks.ts';
import { makeTemporaryFolder } from '../../platform/temporary-folder.ts';
import { noSecrets } from '../../policy/redact.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { CapsuleRunner } from '../../runtime/runner.ts';
import type { RecordedAttempt, Recording } from './recording.ts';
import { createReplayBroker } from './replay-broker.ts';
import { createReplayCapsule } from './replay-capsule.ts';
import { findReplayCapsules, type ReplayCapsule } from './replay-capsules.ts';
import { createReplayGate } from './replay-gate.ts';
import { createReplayRegistry } from './replay-registry.ts';
import { createReplayTrack, type Divergence, type ReplayTrack } from './replay-track.ts';
import { sameEnding } from './same-ending.ts';

export interface ReplayOptions {
  /** The capsules that there are here. */
  readonly installed: ReadonlyMap<string, Capsule>;
  /** The SDK's one file. */
  readonly sdk: string;
  /** Told before anything starts; throws where the replay should not go on with these capsules. */
  readonly onCapsules?: (capsules: readonly ReplayCapsule[]) => void;
  readonly signal: AbortSignal;
  readonly runCapsule: CapsuleRunner;
}

/** How a replay compares with its recording. */
export interface Replay {
  readonly isIdentical: boolean;
  /** The first thing that differs. */
  readonly divergence: Divergence | undefined;
  /** As it ended now. */
  readonly run: RunRecord;
  readonly capsules: readonly ReplayCapsule[];
  /** Attempts that were started again. */
  readonly carriedOut: number;
  /** Requests that were answered from the record. */
  readonly answered: number;
  /** Failed attempts that left no final: not started again, their ending is as recorded. */
  readonly taken: readonly RecordedAttempt[];
}

/**
 * Carries a recorded run out again: the same graph and nodes, real capsule processes, and every answer from the record.
 * It needs no key and no network, no tool is there to be used, and all that it writes is in a folder of its own that is
 * gone when this returns.
 *
 * @throws AppError `RUN_NOT_REPLAYABLE`, `CANCELLED`.
 */
export async function replayRun(recording: Recording, options: ReplayOptions): Promise<Replay> {
  assertReplayable(recording);
  const dir = makeTemporaryFolder('replay');
  let stores: Stores | undefined;
  try {
    const capsules = findReplayCapsules(recording, options.installed, join(dir, 'agents'));
    options.onCapsules?.(capsules);
    // A recording contains no secrets.
    stores = openStores(dir, { redactor: noSecrets });
    return await replay(recording, { ...options, capsules, stores, dir });
  } finally {
    stores?.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Only what ended by itself ends the same way again. */
function assertReplayable({ run, intents, attempts, subtasks }: Recording): void {
  const fail = (problem: string) => new AppError('RUN_NOT_REPLAYABLE', { id: run.id, problem });
  if (run.status === 'parked') {
    throw fail(`it is parked and has no ending yet (\`capstan resume ${run.id}\` goes on with it)`);
  }
  if (run.status === 'running' || run.status === 'pending') throw fail('it is still running');
  if (run.status === 'cancelled')
    throw fail('a person ended it, and no record brings that moment back');
  const isLate = run.reason === 'deadline' && !subtasks.some(({ reason }) => reason === 'deadline');
  if (isLate || subtasks.some(({ status }) => status === 'cancelled')) {
    throw fail('its time ran out, and no record brings that moment back');
  }
  if (intents.length === 0 && attempts.length === 0)
    throw fail('it ended before anything was asked');
  if (attempts.some(({ status, request }) => status !== 'interrupted' && request === null)) {
    throw fail('it is from a version of Capstan that did not keep what its capsules started from');
  }
}

interface Ground extends ReplayOptions {
  readonly capsules: readonly ReplayCapsule[];
  readonly stores: Stores;
  /** The replay's own folder. */
  readonly dir: string;
}

async function replay(recording: Recording, ground: Ground): Promise<Replay> {
  const { stores, capsules, signal } = ground;
  const diverged = new AbortController();
  const track = createReplayTrack(recording, () => diverged.abort('now'));
  const record = begin(recording, stores);
  const events = createEventBus(stores.now, { clean: stores.redactor.redact });
  const graph = createRunGraph(() => new MemorySaver());
  const { isolation } = recording.run;
  const policy = await recordedPolicy(recording);
  const run = await followRun(
    { ...stores, events, isolation, graph, isSomebodyThere: () => true },
    record,
    {
      policy,
      isResumed: true,
      signal: AbortSignal.any([signal, diverged.signal]),
      open: async () => ({ ...partsFor(recording, track, ground), events }),
    },
  );
  if (signal.aborted) throw new AppError('CANCELLED', { what: 'The replay' });
  const divergence =
    track.divergence() ??
    sameEnding(recording, { run, subtasks: stores.subtasks.of(run.id), track });
  return {
    isIdentical: divergence === undefined,
    divergence,
    run,
    capsules,
    carriedOut: track.carriedOut.length,
    answered: track.carriedOut.reduce(
      (sum, { attempt, pool }) => sum + attempt.record.length - pool.left().length,
      0,
    ),
    taken: track.taken,
  };
}

/** Nothing is decided by it again; it belongs to the run all the same. */
async function recordedPolicy({ run }: Recording): Promise<Policy> {
  try {
    return (await policyOf(run.policy)).policy;
  } catch (error) {
    const problem = `the policy that it began with can't be read: ${messageOf(error)}`;
    throw new AppError('RUN_NOT_REPLAYABLE', { id: run.id, problem });
  }
}

/** The row that the replay begins with: that of the recorded run before it had done anything. */
function begin({ run }: Recording, { runs, journal, now }: Stores): RunRecord {
  const record: RunRecord = {
    ...run,
    status: 'running',
    reason: null,
    answer: null,
    error: null,
    endedAt: null,
    owner: ownIdentity(),
    leaseUntil: leaseFrom(now()),
  };
  journal.note(() => runs.create(record));
  return record;
}

/** The settings that how a run goes depends on. */
const Limits = z.object({
  maxSubtasks: z.int().min(1).max(10_000).catch(20),
  maxAttempts: z.int().min(1).max(100).catch(2),
  maxCapsules: z.int().min(1).max(10_000).catch(20),
  concurrency: z.int().min(1).max(64).catch(4),
  lineBytes: z.int().min(1_024).max(1_073_741_824).catch(4_194_304),
});

/** Time that a capsule may use for itself: another machine may be slower. */
const CAPSULE_TIMEOUT_MS = 300_000;

function partsFor(
  recording: Recording,
  track: ReplayTrack,
  { stores, capsules, dir, ...options }: Ground,
): Omit<RunParts, 'events'> {
  const { run } = recording;
  const memoryTokens = 0;
  return {
    ...stores,
    subtasks: withReceipts(recording, stores.subtasks),
    journal: { ...stores.journal, standingsOf: () => recording.intents },
    files: { ...stores.files, writtenBy: () => recording.files },
    hooks: noHooks,
    broker: createReplayBroker(track),
    gate: { create: () => Promise.reject(new Error('a replay makes no capsule')) },
    capsuleGate: createReplayGate(recording),
    registry: createReplayRegistry(recording, capsules, track.own),
    tools: new Map(),
    runCapsule: createReplayCapsule(track, options.runCapsule),
    limits: { ...Limits.parse(run.options), capsuleTimeoutMs: CAPSULE_TIMEOUT_MS, memoryTokens },
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
    isSomebodyThere: () => true,
    now: stores.now,
  };
}

/** A plan's rows with the receipts that say where each subtask went: they are read back, never worked out again. */
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
