import { settingsInvalid } from '../../../config/read/given.ts';
import type { LoadedSettings } from '../../../config/settings.ts';
import { usage } from '../../../contract/usage.ts';
import type { ModelHint } from '../../../contract/wire/chat.ts';
import { Attachment } from '../../../contract/wire/protocol.ts';
import type { RunBody } from '../../../coordinator/execute-run.ts';
import type { RunRequestRecord } from '../../../coordinator/store/runs/run-record.ts';
import type { CapsuleRunner } from '../../../runtime/runner.ts';
import { explainFailure } from '../../calls/report-storage-failures.ts';
import type { AppContext } from '../../context/open-context.ts';
import type { RunHost } from '../run-host.ts';
import { assertTask } from './assert-task.ts';
import { assertOverrides } from './settings-of-run.ts';
import type { RunOptions, StartedRun } from './started-run.ts';

export interface StartOptions extends RunOptions {
  /** The task, 1 to 100,000 characters. */
  readonly task: string;
  /** The folder to work in, relative to the `cwd` of Capstan. Default: `CAPSTAN_WORKSPACE`, else the `cwd`. */
  readonly workspace?: string | undefined;
  /** Id of the session that the run belongs to, or the end of it. Default: a new session. */
  readonly session?: string | undefined;
  /** Whether it may start while the newest run of the session is parked, which stays parked. Default: no. */
  readonly besideParked?: boolean | undefined;
  /** Id of the capsule that gets the whole task. Default: the task is planned. */
  readonly capsule?: string | undefined;
  /** The kind of model for every step. Default: that of its task kind. */
  readonly hint?: ModelHint | undefined;
  /**
   * Texts given with the task, such as piped input or a long paste: data for its steps. A host or file that they name is
   * not named by the user. At most 10, together at most 1 MiB.
   */
  readonly attachments?: readonly Attachment[] | undefined;
  /**
   * The plan waits for a person before its steps start, as a question of kind `plan`: see `Approval.plan`. Approving it,
   * also with edited `steps`, starts it; denying it ends the run as `cancelled`; a message makes a new plan. Approve mode
   * `allow` starts it immediately, `deny` drops it. Default: no.
   */
  readonly planFirst?: boolean | undefined;
  /** Only plans: the run completes with the plan, `plan` and `forecast` in its document, and no effect. Default: no. */
  readonly dryRun?: boolean | undefined;
  /** A rules file used in place of the user's `policy.yaml`. */
  readonly policyFile?: string | undefined;
}

/** For this package's own use. */
export interface InternalStartOptions extends StartOptions {
  /** The id of the new run, a UUIDv7. Default: made now. */
  readonly id?: string | undefined;
  /** Settings that are loaded already. Default: `settings` and `workspace` are. */
  readonly loaded?: LoadedSettings | undefined;
  /** Runs capsules. Default: processes in the sandbox in force. */
  readonly runCapsule?: CapsuleRunner | undefined;
  /** Executes the run. Default: the graph. */
  readonly body?: RunBody | undefined;
}

/** Starts a run and returns as soon as its row exists. */
export function startRun(context: AppContext, options: InternalStartOptions): Promise<StartedRun> {
  return start(context, options).catch((error) => explainFailure(error, context));
}

async function start(context: AppContext, options: InternalStartOptions): Promise<StartedRun> {
  assertTask(options.task);
  assertAttachments(options.attachments);
  const [
    { runHost },
    { createRun },
    { executeRun },
    { createRunStop },
    { followToEnd, listenTo },
    { rulesFromNow },
  ] = await Promise.all([
    import('../run-host.ts'),
    import('../../../coordinator/life/create-run.ts'),
    import('../../../coordinator/execute-run.ts'),
    import('../../../coordinator/stop/run-stop.ts'),
    import('../follow/follow-to-end.ts'),
    import('../../wiring/current-rules.ts'),
  ]);
  const host = await runHost(context);
  const session = await sessionOf(host, options);
  const { prepared, policy, newRun } = await prepare(context, host, { ...options, session });
  host.assertOpen();
  const endListening = listenTo(context, newRun.id, options);
  const record = createRun(host.execution, newRun);
  const stop = createRunStop();
  const ended = executeRun(host.execution, record, {
    policy,
    currentRules: rulesFromNow(context, prepared.loaded, policy.snapshot),
    stop,
    timeoutMs: prepared.loaded.settings.runTimeoutMs,
    open: () => prepared.open(),
    body: options.body ?? host.graph,
  });
  return followToEnd(record, { host, prepared, stop, endListening, ended });
}

/** @throws AppError `SESSION_UNKNOWN`; `SESSION_PARKED`; `USAGE` if several match. */
async function sessionOf({ stores }: RunHost, { session, besideParked = false }: StartOptions) {
  if (session === undefined) return undefined;
  const { findSessionToContinue, openSession } = await import('../../sessions/find-session.ts');
  return (besideParked ? findSessionToContinue : openSession)(stores.sessions, session);
}

async function prepare(context: AppContext, host: RunHost, options: InternalStartOptions) {
  const { uuidv7 } = await import('../../../db/uuidv7.ts');
  const { hostsInText } = await import('../../../contract/text/hosts-in-text.ts');
  const { assertCapsule, optionsOf, policyForStart, prepareRun } = await import('./prepare-run.ts');
  const { task, workspace: folder, settings: overrides = {}, policyFile } = options;
  assertOverrides(overrides);
  const flags = folder === undefined ? overrides : { ...overrides, workspace: folder };
  const loaded = options.loaded ?? (await context.settings(flags));
  assertWorkspace(loaded.settings.workspace);
  if (options.capsule !== undefined) await assertCapsule(options.capsule, loaded, host.stores);
  const policy = await policyForStart(context, loaded, policyFile);
  const prepared = await prepareRun(context, host, { ...options, loaded });
  prepared.notices.push(...policy.notices);
  const { workspace, hosts } = loaded.settings;
  const newRun = {
    id: options.id ?? uuidv7(),
    task,
    workspace,
    sessionId: options.session,
    provider: prepared.provider.name,
    isolation: prepared.isolation,
    options: optionsOf(loaded),
    policy,
    request: requestOf(options, [...hosts, ...hostsInText(task)]),
  };
  return { policy, prepared, newRun };
}

function requestOf(
  { capsule, attachments = [], hint, planFirst, dryRun, body }: InternalStartOptions,
  hosts: readonly string[],
): RunRequestRecord {
  return {
    namedCapsule: capsule ?? null,
    namedHosts: [...new Set(hosts)],
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ name, text }) => ({ name, text })),
    }),
    ...(hint && { hint }),
    ...(planFirst && { planFirst }),
    ...(dryRun && { dryRun }),
    ...(body && { isCheck: true }),
  };
}

/** @throws AppError `SETTINGS_INVALID` if it is the whole machine, and nothing of it is closed to this process. */
function assertWorkspace(workspace: string): void {
  if (workspace !== '/' || process.getuid?.() !== 0) return;
  const problem =
    'root may not work in all of the machine. Name the folder that the task is about, or run Capstan as a normal user.';
  throw settingsInvalid([{ where: 'workspace = "/"', problem }]);
}

const MAX_COUNT = 10;
/** Of all texts together. */
const MAX_BYTES = 1024 * 1024;

/** @throws AppError `USAGE`, with the field `attachments`. */
function assertAttachments(attachments: readonly Attachment[] = []): void {
  const problem = problemOf(attachments);
  if (problem !== undefined) throw usage(problem, 'attachments');
}

function problemOf(attachments: readonly Attachment[]): string | undefined {
  if (attachments.length > MAX_COUNT)
    return `${attachments.length} texts were given with the task; ${MAX_COUNT} are allowed.`;
  if (!attachments.every((one) => Attachment.safeParse(one).success))
    return 'A text given with the task needs a name of 1 to 100 characters and a text.';
  const bytes = attachments.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes <= MAX_BYTES) return undefined;
  return `The texts given with the task have ${bytes} bytes; ${MAX_BYTES} (1 MiB) are allowed. Save the text as a file and name the file in the task.`;
}
