import type { PolicySnapshot } from '../../../broker/rules/policy-snapshot.ts';
import { AppError, failedWith } from '../../../contract/errors.ts';
import { printable } from '../../../contract/text/printable.ts';
import { executeRun } from '../../../coordinator/execute-run.ts';
import { assertResumable, claimRun } from '../../../coordinator/life/claim-run.ts';
import { createRunStop } from '../../../coordinator/stop/run-stop.ts';
import { findRunToChange } from '../../../coordinator/store/runs/find-run.ts';
import type { RunRecord } from '../../../coordinator/store/runs/run-record.ts';
import type { RunStore } from '../../../coordinator/store/runs/run-store.ts';
import type { CapsuleRunner } from '../../../runtime/runner.ts';
import { explainFailure } from '../../calls/report-storage-failures.ts';
import type { AppContext } from '../../context/open-context.ts';
import { rulesForResume } from '../../wiring/current-rules.ts';
import { currentWorkspace } from '../find-run.ts';
import { followOtherProcess, followToEnd, listenTo } from '../follow/follow-to-end.ts';
import { type RunHost, runHost } from '../run-host.ts';
import { optionsOf, prepareRun } from './prepare-run.ts';
import { settingsOfRun, withClosedGates } from './settings-of-run.ts';
import type { RunOptions, StartedRun } from './started-run.ts';

/** In `settings`, a resumed run takes `timeout`, `requireIsolation`, `budgetUsd` and `model`. */
export type ResumeOptions = RunOptions;

/** For this package's own use. */
export interface InternalResumeOptions extends ResumeOptions {
  readonly runCapsule?: CapsuleRunner | undefined;
  /** A host that continues the run by itself raises no limit. Default: a person resumes it. */
  readonly isByHost?: boolean | undefined;
}

/** Implements `runs.resume`. */
export function resumeRun(
  context: AppContext,
  id: string | undefined,
  options: InternalResumeOptions = {},
): Promise<StartedRun> {
  return resume(context, id, options).catch((error) => explainFailure(error, context));
}

async function resume(context: AppContext, id: string | undefined, options: InternalResumeOptions) {
  const host = await runHost(context);
  const { runs } = host.stores;
  const found = id === undefined ? await onlyParkedRun(context, runs) : findRunToChange(runs, id);
  if (isOfOtherProcess(host, found))
    return followOtherProcess(context, host, { record: found, options });
  assertResumable(found);
  // Parked, but its parts may still be closing in this process.
  await host.active.get(found.id)?.over;
  const { loaded, gates } = await settingsOfRun(context, found, options.settings, options.isByHost);
  const currentRules = await rulesForResume(context, loaded, begunWith(found));
  const prepared = await prepareRun(context, host, { ...options, loaded });
  host.assertOpen();
  const endListening = listenTo(context, found.id, options);
  const claimed = await claimOr(endListening, () =>
    claimRun({ ...host.stores, events: context.events }, found, {
      options: optionsOf(loaded),
      budget: loaded.settings.budget,
    }),
  );
  if (!claimed) return followOtherProcess(context, host, { record: found, options });
  const { record, policy } = claimed;
  const stop = createRunStop();
  const ended = executeRun(host.execution, record, {
    policy: withClosedGates(policy, gates),
    currentRules,
    resumedFrom: found,
    stop,
    timeoutMs: loaded.settings.runTimeoutMs,
    open: () => prepared.open(found.isolation),
    body: host.graph,
  });
  return followToEnd(record, { host, prepared, stop, endListening, ended });
}

/** A policy of an unknown form is refused when the run is claimed. */
const begunWith = ({ policy }: RunRecord): Pick<PolicySnapshot, 'rules'> => ({
  rules: (policy as Partial<PolicySnapshot> | null)?.rules ?? [],
});

const isOfOtherProcess = ({ active }: RunHost, { id, status }: RunRecord): boolean =>
  status === 'running' && !active.has(id);

/** Undefined if another process claimed the run first. */
async function claimOr<T>(undo: () => void, claim: () => Promise<T>): Promise<T | undefined> {
  try {
    return await claim();
  } catch (error) {
    undo();
    if (failedWith(error, 'RUN_NOT_PARKED') && error.details.status === 'running') return undefined;
    throw error;
  }
}

const MAX_LISTED = 20;
const MAX_SHOWN_CHARS = 60;

/**
 * The only parked run of this workspace.
 *
 * @throws AppError `NO_RUN_PARKED`; `SEVERAL_RUNS_PARKED` with the newest 20.
 */
async function onlyParkedRun(context: AppContext, runs: RunStore): Promise<RunRecord> {
  const workspace = await currentWorkspace(context)();
  const parked = { status: 'parked', limit: MAX_LISTED, onlyTasks: true } as const;
  const found = runs.list({ ...parked, workspace });
  const [only, ...others] = found;
  if (!only) {
    const elsewhere = runs.list(parked).length;
    throw new AppError('NO_RUN_PARKED', { workspace, elsewhere });
  }
  if (others.length === 0) return only;
  const ids = found.map(({ id }) => id);
  throw new AppError('SEVERAL_RUNS_PARKED', { workspace, ids, runs: found.map(lineOf) });
}

/** `  9c41d07e  Count the lines`. */
const lineOf = ({ id, task }: RunRecord): string =>
  `  ${id.slice(-8)}  ${printable(task.replace(/\s+/g, ' '), MAX_SHOWN_CHARS)}`;
