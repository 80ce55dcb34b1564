import { realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Broker } from '../../broker/answer.ts';
import type { Policy } from '../../broker/rules/policy-snapshot.ts';
import { AppError } from '../../contract/errors.ts';
import { hostsInText } from '../../contract/text/hosts-in-text.ts';
import type { AttemptPlan } from '../../coordinator/attempt/attempt-basis.ts';
import { runAttempt } from '../../coordinator/attempt/run-attempt.ts';
import type { RunContext, RunLimits, RunParts } from '../../coordinator/context/run-context.ts';
import { executeRun } from '../../coordinator/execute-run.ts';
import { createRun } from '../../coordinator/life/create-run.ts';
import { endRun } from '../../coordinator/life/end-run.ts';
import { type StopSignals, withStopSignals } from '../../coordinator/stop/run-stop.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { AttemptRecord } from '../../coordinator/store/subtasks/subtask-record.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import { createEventBus } from '../../events/bus.ts';
import { noHooks } from '../../hooks/hooks.ts';
import { isInside } from '../../platform/files/inside.ts';
import { readPlainFile } from '../../platform/files/plain-file.ts';
import { makeTemporaryFolder } from '../../platform/files/temporary-folder.ts';
import { tryOr } from '../../platform/try-or.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { Registry } from '../../registry/registry.ts';
import type { RunCapsuleOptions } from '../../runtime/runner.ts';
import type { Tool } from '../../tools/define/tool.ts';
import { createRecordedAnswers, isAnswer } from './recorded-answers.ts';
import { reportOf, type Trial, type TrialResult, type TrialTraces } from './trial.ts';
import { createTrialBroker, usesNetwork } from './trial-broker.ts';
import { copyInputs } from './trial-inputs.ts';

/** The parts that trials run with. The rows are in a temporary folder. */
export interface TrialParts {
  readonly stores: Stores;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly policy: Policy;
  readonly runCapsule: RunParts['runCapsule'];
  readonly limits: RunLimits;
  /** The level in force, and its reason. */
  readonly isolation: string;
  /** Path of the SDK file. */
  readonly sdk: string;
  /** Decides on and performs tool calls in a workspace. */
  brokerFor(workspace: string, parts: Pick<RunParts, 'events'>): Broker;
}

/**
 * Runs one capsule on one task in a folder of its own. Questions are answered with yes, since nothing outside that
 * folder can be touched; a question that only a person may answer ends the trial.
 *
 * @throws AppError `CANCELLED`, and errors of `copyInputs`.
 */
export async function runTrial(
  parts: TrialParts,
  trial: Trial,
  signals: StopSignals,
): Promise<TrialResult> {
  const startedMs = performance.now();
  const dir = realpathSync(makeTemporaryFolder('trial'));
  const workspace = join(dir, 'workspace');
  try {
    await copyInputs(workspace, trial.inputs ?? { files: new Map() });
    const report = await perform(parts, trial, workspace, signals);
    const wanted = trial.wanted ?? [];
    const files = new Map(wanted.map((path) => [path, readWanted(workspace, path)]));
    const durationMs = Math.round(performance.now() - startedMs);
    return { ...report, systemPrompt: trial.prompt.systemPrompt, files, durationMs };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function perform(parts: TrialParts, trial: Trial, workspace: string, signals: StopSignals) {
  // Holds the workspace. Tools see only the workspace.
  const dir = dirname(workspace);
  const { stores, policy, isolation } = parts;
  const events = createEventBus(stores.now, { clean: stores.redactor.redact });
  const roots = [workspace, ...(trial.roots ?? [])] as const;
  const { askModel, answers } = trial;
  const broker = createTrialBroker(parts.brokerFor(workspace, { events }), {
    // With a live model, calls that failed when recorded are made again.
    recorded: createRecordedAnswers(askModel ? answers.filter(isAnswer) : answers),
    hasWorkspace: trial.inputs !== undefined,
    roots,
    askModel,
  });
  let ended: Ended | undefined;
  const body = async (run: RunContext) => {
    ended = await attempt(run, trial);
    const end = ended.outcome.ok
      ? ({ status: 'completed', reason: null } as const)
      : ({ status: 'failed', reason: 'subtask_failed' } as const);
    endRun(stores, run.record.id, { ...end, answer: null, error: null });
  };
  const context = { ...stores, events };
  const record = createRun(context, {
    id: uuidv7(),
    task: trial.task,
    workspace,
    provider: 'offline',
    isolation,
    options: {},
    policy,
    request: { namedCapsule: null, namedHosts: [...hostsInText(trial.task)] },
  });
  const { id } = await withStopSignals(signals, (stop) =>
    executeRun(context, record, {
      policy,
      stop,
      open: async () => ({
        ...stores,
        ...runPartsOf(trial, dir, parts),
        events,
        broker,
        isolation,
      }),
      body,
    }),
  );
  const report = ended && reportOf({ ...ended, asked: broker.asked, roots });
  if (signals.signal.aborted) {
    trial.onCancelled?.(report?.answers.filter(({ reply }) => !('ok' in reply) || reply.ok) ?? []);
    throw new AppError('CANCELLED', { what: 'The trial' });
  }
  if (!report) throw new Error(stores.runs.find(id)?.error?.message ?? 'the trial did not end');
  return report;
}

/** Read before the run ends, since its end closes open questions. */
type Ended = Pick<TrialTraces, 'outcome' | 'approvals' | 'intents'>;

async function attempt(run: RunContext, trial: Trial): Promise<Ended> {
  const { parts, record, scope } = run;
  const { task, kind, capsule, from } = trial;
  const id = from?.subtask_id ?? 's1';
  const step = { id, description: task, depends_on: [], writes: [], needs: [] };
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
    earlier: earlierAttempt(trial),
    onSuccess: () => {},
  };
  const outcome = await runAttempt(run, plan);
  const approvals = parts.approvals.of(record.id);
  return { outcome, approvals, intents: parts.journal.intentsOf(record.id) };
}

/** The capsule without hosts and services. With a live model it may read pages. */
function withinWorkspace(capsule: Capsule, hasModel: boolean): Capsule {
  const { manifest } = capsule;
  const tools = Object.entries(manifest.grants.tools).map(([tool, { hosts, ...grant }]) => [
    tool,
    hasModel && usesNetwork(tool) ? { ...grant, hosts } : grant,
  ]);
  const grants = { tools: Object.fromEntries(tools), services: [] };
  return { ...capsule, manifest: { ...manifest, grants } };
}

/** An attempt that continues this one repeats its request, with the system prompt of the trial. */
function earlierAttempt({ from, capsule, prompt }: Trial): AttemptRecord | undefined {
  if (!from) return undefined;
  const { systemPrompt, skills } = prompt;
  const config = { ...from.config, system_prompt: systemPrompt, skills: [...skills] };
  const request = { ...from, config };
  return {
    ...{ id: '', runId: '', subtaskId: from.subtask_id },
    number: 1,
    capsuleId: capsule.id,
    capsuleHash: capsule.hash,
    metrics: {},
    status: 'interrupted',
    reason: null,
    error: null,
    request,
    response: null,
  };
}

function runPartsOf(trial: Trial, dir: string, { tools, runCapsule, limits, sdk }: TrialParts) {
  return {
    canAnswer: () => false,
    hooks: noHooks,
    // Without files, no call writes one.
    missingOutput: trial.inputs ? undefined : () => undefined,
    gates: {
      create: () => Promise.reject(new Error('a trial creates no capsule')),
      capsule: async () => true,
    },
    registry: registryOf(trial),
    tools,
    runCapsule: (options: RunCapsuleOptions) => runCapsule(withInput(options, trial)),
    limits,
    paths: {
      sdk,
      agentsDir: join(dir, 'agents'),
      templateDir: dir,
      homeOf: ({ id }: Capsule) => join(dir, 'homes', id),
    },
    provider: {
      name: 'offline' as const,
      origin: undefined,
      isModel: trial.kind.mode !== 'handler' || trial.hasModel === true,
      modelFor: () => '',
    },
  };
}

function withInput(options: RunCapsuleOptions, { input }: Trial): RunCapsuleOptions {
  if (input === undefined) return options;
  const { request } = options;
  return { ...options, request: { ...request, context: { ...request.context, input } } };
}

const registryOf = ({ capsule, kind, prompt }: Trial): Registry => ({
  sync: async () => ({ problems: [] }),
  list: () => [capsule],
  find: (id) => (id === capsule.id ? capsule : undefined),
  skills: () => [],
  kindFor: () => kind,
  prompt: () => prompt,
  noteCompleted: () => {},
  correct: () => {},
  forget: () => {},
  route: () => Promise.reject(new Error('a trial routes nothing')),
});

const MAX_WANTED_BYTES = 4 * 1024 * 1024;

/** A file of the workspace; undefined if it is missing, not a file, outside the workspace or over 4 MiB. */
function readWanted(workspace: string, path: string): Buffer | undefined {
  const real = tryOr(() => realpathSync(join(workspace, path)), '');
  return isInside(workspace, real) ? readPlainFile(real, MAX_WANTED_BYTES) : undefined;
}
