import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Broker } from '../broker/answer.ts';
import type { Policy } from '../broker/rules/policy-snapshot.ts';
import { AppError } from '../contract/errors.ts';
import { endRun } from '../coordinator/end-run.ts';
import type { Stores } from '../coordinator/open-stores.ts';
import { type AttemptPlan, runAttempt } from '../coordinator/run-attempt.ts';
import type { RunContext, RunLimits, RunParts } from '../coordinator/run-context.ts';
import { startRun } from '../coordinator/start-run.ts';
import type { AttemptRecord } from '../coordinator/subtask-store.ts';
import { createEventBus, type EventBus } from '../events/bus.ts';
import { noHooks } from '../hooks/hooks.ts';
import { makeTemporaryFolder } from '../platform/temporary-folder.ts';
import { hostsInText } from '../policy/hosts-in-text.ts';
import type { Capsule } from '../registry/capsule-store.ts';
import type { Registry } from '../registry/registry.ts';
import type { RunCapsuleOptions } from '../runtime/runner.ts';
import type { Tool } from '../tools/tool.ts';
import { layInputs } from './lay-inputs.ts';
import { createToldBefore, isAnswer } from './told-before.ts';
import { reportOf, type Trial, type TrialResult, type TrialTraces } from './trial.ts';
import { createTrialBroker, reachesOut } from './trial-broker.ts';

/** What trials are made with; its rows are in a folder that goes with it. */
export interface TrialGround {
  readonly stores: Stores;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly policy: Policy;
  readonly runCapsule: RunParts['runCapsule'];
  readonly limits: RunLimits;
  /** The level in force, and why. */
  readonly isolation: string;
  /** The SDK's one file. */
  readonly sdk: string;
  /** What decides on and performs tool calls in a workspace. */
  brokerFor(workspace: string, parts: Pick<RunParts, 'events'>): Broker;
}

/**
 * Runs one capsule on one task in a folder of its own, and tells what came of it. Whatever would be asked is taken as
 * agreed to, since nothing outside that folder can be touched; only what nobody but a person may answer ends it.
 *
 * @throws AppError `CANCELLED`, and what `layInputs` throws.
 */
export async function runTrial(
  ground: TrialGround,
  trial: Trial,
  signal: AbortSignal,
): Promise<TrialResult> {
  const startedMs = performance.now();
  const dir = realpathSync(makeTemporaryFolder('trial'));
  const workspace = join(dir, 'workspace');
  try {
    await layInputs(workspace, trial.inputs ?? { files: new Map() });
    const report = await carryOut(ground, trial, { workspace, dir, signal });
    const files = new Map(
      (trial.wanted ?? []).map((path) => [path, readWanted(workspace, path)] as const),
    );
    const durationMs = Math.round(performance.now() - startedMs);
    return { ...report, systemPrompt: trial.systemPrompt, files, durationMs };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Place {
  readonly workspace: string;
  /** Holds the workspace and nothing that a tool may see. */
  readonly dir: string;
  readonly signal: AbortSignal;
}

async function carryOut(ground: TrialGround, trial: Trial, { workspace, dir, signal }: Place) {
  const { stores, policy, isolation } = ground;
  const events = createEventBus(stores.now, { clean: stores.redactor.redact });
  const roots = [workspace, ...(trial.roots ?? [])] as const;
  const broker = createTrialBroker(ground.brokerFor(workspace, { events }), {
    // What no model answered then is asked of one now.
    before: createToldBefore(trial.askModel ? trial.answers.filter(isAnswer) : trial.answers),
    hasWorkspace: trial.inputs !== undefined,
    roots: [...roots],
    askModel: trial.askModel,
  });
  let ended: Ended | undefined;
  const follow = async (run: RunContext) => {
    ended = await attempt(run, trial);
    const { ok } = ended.outcome;
    const reason = ok ? null : 'subtask_failed';
    endRun(stores, run.record.id, { ...NO_ANSWER, status: ok ? 'completed' : 'failed', reason });
  };
  const { id } = await startRun(
    { ...stores, events, isolation, isSomebodyThere: () => false, graph: { follow } },
    {
      task: trial.task,
      workspace,
      provider: 'offline',
      options: {},
      policy,
      namedHosts: new Set(hostsInText(trial.task)),
      signal,
    },
    async () => partsFor(ground, trial, { broker, events, dir }),
  );
  if (signal.aborted) throw new AppError('CANCELLED', { what: 'The trial' });
  if (!ended) throw new Error(stores.runs.find(id)?.error?.message ?? 'the trial did not end');
  return reportOf({ ...ended, asked: broker.asked, roots });
}

const NO_ANSWER = { answer: null, error: null };

/** Read before the run's row ends, which closes what is open. */
type Ended = Pick<TrialTraces, 'outcome' | 'approvals' | 'intents'>;

async function attempt(run: RunContext, trial: Trial): Promise<Ended> {
  const { parts, record, scope } = run;
  const { task, kind, capsule, from } = trial;
  const step = { id: from?.subtask_id ?? 's1', description: task, depends_on: [] };
  parts.journal.note(() => {
    parts.subtasks.add(record.id, 'execution', [step]);
    const where = { capsuleId: capsule.id, taskKind: kind.name, receipt: null };
    parts.subtasks.route(record.id, step.id, where);
  });
  const plan: AttemptPlan = {
    step,
    capsule: withinWorkspace(capsule, trial.askModel !== undefined),
    kind,
    number: 1,
    pause: scope.coordinator.pause,
    earlier: lineOf(trial),
    onSuccess: () => {},
  };
  const outcome = await runAttempt(run, plan);
  const approvals = parts.approvals.of(record.id);
  return { outcome, approvals, intents: parts.journal.intentsOf(record.id) };
}

/** The capsule without what reaches beyond the workspace; beside a live model it may read pages. */
function withinWorkspace(capsule: Capsule, hasModel: boolean): Capsule {
  const { manifest } = capsule;
  const tools = Object.entries(manifest.grants.tools).map(([tool, { hosts, ...grant }]) => [
    tool,
    hasModel && reachesOut(tool) ? { ...grant, hosts } : grant,
  ]);
  const grants = { tools: Object.fromEntries(tools), services: [] };
  return { ...capsule, manifest: { ...manifest, grants } };
}

/** An attempt that takes up another starts from its line: here, with this trial's prompt in it. */
function lineOf({ from, capsule, systemPrompt }: Trial): AttemptRecord | undefined {
  if (!from) return undefined;
  const request = { ...from, config: { ...from.config, system_prompt: systemPrompt } };
  return {
    id: '',
    number: 1,
    capsuleId: capsule.id,
    capsuleHash: capsule.hash,
    status: 'interrupted',
    reason: null,
    error: null,
    request,
    response: null,
  };
}

interface With {
  readonly broker: Broker;
  readonly events: EventBus;
  readonly dir: string;
}

function partsFor(ground: TrialGround, trial: Trial, { broker, events, dir }: With): RunParts {
  const { stores } = ground;
  return {
    ...stores,
    events,
    broker,
    hooks: noHooks,
    gate: { create: () => Promise.reject(new Error('a trial makes no capsule')) },
    capsuleGate: { mayRun: async () => true },
    registry: registryOf(trial),
    tools: ground.tools,
    runCapsule: (options) => ground.runCapsule(withInput(options, trial)),
    limits: ground.limits,
    paths: {
      sdk: ground.sdk,
      agentsDir: join(dir, 'agents'),
      templateDir: dir,
      homeOf: ({ id }) => join(dir, 'homes', id),
    },
    provider: {
      name: 'offline',
      origin: undefined,
      isModel: trial.kind.mode !== 'handler' || trial.hasModel === true,
      modelFor: () => '',
    },
    isolation: ground.isolation,
    workspaceNotes: trial.notes,
    isSomebodyThere: () => false,
  };
}

function withInput(options: RunCapsuleOptions, { input }: Trial): RunCapsuleOptions {
  if (input === undefined) return options;
  const { request } = options;
  return { ...options, request: { ...request, context: { ...request.context, input } } };
}

/** There is one capsule, and its prompt is as the trial says. */
const registryOf = ({ capsule, kind, systemPrompt }: Trial): Registry => ({
  sync: async () => ({ problems: [] }),
  list: () => [capsule],
  find: (id) => (id === capsule.id ? capsule : undefined),
  skills: () => [],
  kindFor: () => kind,
  systemPrompt: () => systemPrompt,
  noteCompleted: () => {},
  correct: () => {},
  forget: () => {},
  route: () => Promise.reject(new Error('a trial routes nothing')),
});

const MAX_WANTED_BYTES = 4 * 1024 * 1024;

/** A file of the workspace; undefined for anything that is none, leads out, or has more than 4 MiB. */
function readWanted(workspace: string, path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    const real = realpathSync(join(workspace, path));
    if (!real.startsWith(`${workspace}/`)) return undefined;
    file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const facts = fstatSync(file);
    return facts.isFile() && facts.size <= MAX_WANTED_BYTES ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
