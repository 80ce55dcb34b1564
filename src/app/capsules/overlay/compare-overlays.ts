import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { caseFolders, type FoundCase, readCases } from '../../../authoring/cases/case-files.ts';
import { tryCase } from '../../../authoring/trials/authored-task.ts';
import { type Difference, differenceOf } from '../../../authoring/trials/difference.ts';
import { journaledTasks, repeatTask } from '../../../authoring/trials/journaled-tasks.ts';
import type { TrialOutcome } from '../../../authoring/trials/trial.ts';
import type { TrialInputs } from '../../../authoring/trials/trial-inputs.ts';
import { AppError, failedWith, messageOf } from '../../../contract/errors.ts';
import { usage } from '../../../contract/usage.ts';
import { overlayVersion } from '../../../registry/capsule-metrics.ts';
import type { Capsule, Overlay } from '../../../registry/capsule-store.ts';
import type { AppContext, Environment } from '../../context/open-context.ts';
import { protectionFor } from '../../wiring/protection.ts';
import { storesIfAny } from '../capsule-records.ts';
import {
  type CapsuleOptions,
  findAuthored,
  findCapsule,
  type LoadedCapsules,
  loadCapsules,
} from '../load-capsules.ts';
import { upgradeShims } from '../share/upgrade-shims.ts';
import {
  openTrialSession,
  type TrialOptions,
  type TrialSession,
} from '../trials/open-trial-session.ts';
import { withDraft } from './lint-draft.ts';

export interface CompareOptions extends TrialOptions {
  /** First digits of an earlier overlay's hash, or a git revision. Default: the saved overlay, against which `draft` is tried. */
  readonly against?: string | undefined;
  /** An overlay that is not saved. Default: the saved one. */
  readonly draft?: string | undefined;
  /** Number of tasks, from 1 to 100. Default: 5. */
  readonly last?: number | undefined;
}

export interface ComparedOverlays {
  readonly id: string;
  /** SHA-256 of the earlier overlay. */
  readonly before: string;
  /** SHA-256 of the current overlay, or of the draft. */
  readonly after: string;
  /** Newest first; empty if the capsule has done no task yet. */
  readonly tasks: readonly ComparedTask[];
  /** Whether a recorded answer that was used is stale: given under another prompt. */
  readonly isStale: boolean;
}

export interface ComparedTask {
  /** The run and subtask that did it. */
  readonly done: { readonly runId: string; readonly subtaskId: string; readonly task: string };
  readonly before: TrialOutcome;
  readonly after: TrialOutcome;
  readonly difference: Difference;
}

/** Implements `capsules.compare`. */
export async function compareOverlays(
  context: AppContext,
  named: string,
  options: CompareOptions,
): Promise<ComparedOverlays> {
  await upgradeShims(context);
  const loaded = await loadCapsules(context, options);
  const { against, draft } = options;
  if (against === undefined && draft === undefined)
    throw usage('Name a version to compare with, or give a draft.', 'against');
  const saved = findAuthored(loaded, named);
  const earlier =
    against === undefined ? saved : { ...saved, overlay: await overlayAt(context, saved, against) };
  const capsule = draft === undefined ? saved : withDraft(loaded, saved, draft);
  const { id } = capsule;
  const earlierTasks = await lastTasks(context, id, options.last ?? 5);
  const versions = {
    before: overlayVersion(earlier.overlay),
    after: overlayVersion(capsule.overlay),
  };
  if (earlierTasks.length === 0) return { id, ...versions, tasks: [], isStale: false };
  const subject = { capsule, command: 'compare' } as const;
  await using session = await openTrialSession(loaded, subject, options);
  const { runner, skills } = session;
  const tasks: ComparedTask[] = [];
  for (const task of earlierTasks) {
    const inputs = runner.isLive ? copyOf(loaded, task.workspace) : undefined;
    const before = await repeatTask(runner, task, { capsule: earlier, skills, inputs });
    const after = await repeatTask(runner, task, { capsule, skills, inputs });
    const { runId, subtaskId, request } = task;
    const done = { runId, subtaskId, task: request.task };
    tasks.push({ done, before, after, difference: differenceOf(before, after) });
  }
  const isStale = tasks.some(({ before, after }) => before.reworded + after.reworded > 0);
  return { id, ...versions, tasks, isStale };
}

async function lastTasks(context: AppContext, id: string, last: number) {
  if (!Number.isInteger(last) || last < 1 || last > 100)
    throw usage('The number of tasks must be from 1 to 100.', 'last');
  const stores = await storesIfAny(context);
  return stores ? journaledTasks(stores, id, last) : [];
}

/** A copy of the workspace that the task was done in, if it still exists. */
function copyOf({ loaded }: LoadedCapsules, workspace: string): TrialInputs | undefined {
  if (!existsSync(workspace)) return undefined;
  return { folder: workspace, isProtected: protectionFor({ ...loaded.settings, workspace }) };
}

/**
 * An earlier overlay of a capsule.
 *
 * @param version The first digits of its hash, at least four, if it was used; or a revision of its git repository.
 */
async function overlayAt(context: AppContext, capsule: Capsule, version: string): Promise<Overlay> {
  const path = capsule.overlay?.path ?? join(capsule.dir, 'skill.md');
  const stores = await storesIfAny(context);
  const isHash = /^[0-9a-f]{4,64}$/.test(version);
  const used = isHash ? stores?.metrics.overlayOf(capsule, version)?.text : undefined;
  const text = used ?? (await textInRevision(path, version, context.environment));
  if (text !== undefined) return { path: `${path} (${version})`, text };
  const versions = stores?.metrics.versionsOf(capsule) ?? [];
  const known = versions.map((one) => one.version.slice(0, 12));
  throw new AppError('OVERLAY_UNKNOWN', { version, capsule: capsule.id, known });
}

const GIT_TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;

/**
 * The text of a file in a revision of its git repository; undefined if there is none. No filter, hook or fetch of the
 * repository runs.
 *
 * @param environment Of which git gets `PATH` and `HOME`.
 */
async function textInRevision(path: string, revision: string, environment: Environment) {
  if (!/^[\w][\w./@{}^~+-]*$/.test(revision)) return undefined;
  const { PATH = '/usr/bin:/bin', HOME = '' } = environment;
  const env = { PATH, HOME, GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' };
  const args = ['-C', dirname(path), '-c', 'core.fsmonitor=false', 'cat-file', 'blob'];
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      [...args, `${revision}:./${basename(path)}`],
      { env, timeout: GIT_TIMEOUT_MS, maxBuffer: MAX_BYTES },
    );
    return stdout;
  } catch {
    return undefined;
  }
}

export interface TryOverlayOptions extends CapsuleOptions {
  /** Cancels; capsules get time to end. */
  readonly signal?: AbortSignal | undefined;
}

/** One case under two overlays. */
export interface ComparedCase {
  readonly name: string;
  readonly saved: CaseOutcome;
  readonly draft: CaseOutcome;
}

export interface CaseOutcome {
  readonly passes: boolean;
  /** The first unmet expectation; null if it passes. */
  readonly problem: string | null;
  /** Of the system prompt, once for each model call; estimated: four bytes each. */
  readonly tokens: number;
  /** Of the recorded answers that were used. */
  readonly costMicroUsd: number;
  /** Model answers that were recorded under another prompt. */
  readonly reworded: number;
}

/** Implements `capsules.tryOverlay`. */
export async function tryOverlay(
  context: AppContext,
  id: string,
  text: string,
  options: TryOverlayOptions = {},
): Promise<readonly ComparedCase[]> {
  await upgradeShims(context);
  const loaded = await loadCapsules(context, options);
  const capsule = findCapsule(loaded, id);
  const draft = withDraft(loaded, capsule, text);
  const found = await readCases(caseFolders(loaded.personal, capsule));
  if (found.length === 0) return [];
  const subject = { capsule, command: 'test' } as const;
  await using session = await openTrialSession(loaded, subject, options);
  const compared: ComparedCase[] = [];
  for (const one of found) {
    const [saved, drafted] = await Promise.all([
      outcomeOf(session, capsule, one),
      outcomeOf(session, draft, one),
    ]);
    compared.push({ name: one.name, saved, draft: drafted });
  }
  return compared;
}

async function outcomeOf(
  { runner, skills }: TrialSession,
  capsule: Capsule,
  found: FoundCase,
): Promise<CaseOutcome> {
  try {
    const { result, problems } = await tryCase(runner, { capsule, skills }, found);
    const { modelCalls, systemPrompt, costMicroUsd, reworded } = result;
    const tokens = modelCalls * Math.ceil(Buffer.byteLength(systemPrompt) / 4);
    const [problem = null] = problems;
    return { passes: problem === null, problem, tokens, costMicroUsd, reworded };
  } catch (error) {
    if (!failedWith(error, 'TEMPLATE_INVALID')) throw error;
    return { passes: false, problem: messageOf(error), tokens: 0, costMicroUsd: 0, reworded: 0 };
  }
}
