import type { ApprovalAnswer } from './approval.ts';
import {
  type DiscardDetails,
  type Explanation,
  endingOf,
  inCapsule,
  type Located,
  notResumable,
  type ProcessEnd,
  quarantined,
  type SettingProblem,
  stderrText,
  unknownCapsuleText,
  unknownSkill,
} from './error-details.ts';
import type { NextAction } from './next.ts';

/**
 * Every failure that is raised on purpose: its message for people, built from its details, and the possible next actions.
 * A message names no command and no flag; a surface adds them from `next`.
 */
const catalogue = {
  /** `found`: the items of `issues`, if they are about settings. */
  SETTINGS_INVALID: (d: { issues: string; found?: readonly SettingProblem[] }) =>
    `The settings are invalid:\n${d.issues}`,
  /** `problem`: the reason and the fix, without the last full stop. */
  SETTINGS_NOT_WRITTEN: (d: { path: string; problem: string }) =>
    `${d.path} was not written: ${d.problem}.`,
  /** `field`: the invalid argument, as the application API names it. `id`: the one that was probably meant. */
  USAGE: (d: { problem: string; field?: string; id?: string }) => d.problem,
  KEY_USED: (d: { key: string }) =>
    `The idempotency key ${JSON.stringify(d.key)} was used for another request. Use a new one.`,
  CAPSTAN_CLOSED: (_: Record<string, never>) => 'Capstan is closed. Open it again.',
  PLACE_UNUSABLE: (d: { path: string; problem: string }) => ({
    message: `${d.path} can't be Capstan's folder: ${d.problem}. Make it a folder that you can write to, or set CAPSTAN_HOME to another folder.`,
    next: [{ action: 'run_doctor' }],
  }),
  /** `fix`: a sentence. `runId`: the run that can be resumed afterwards. */
  DATABASE_FAILED: (d: { path: string; problem: string; fix: string; runId?: string }) => ({
    message: `${d.path} can't be used now: ${d.problem}. ${d.fix} Everything committed so far is kept.`,
    next: [d.runId === undefined ? { action: 'run_doctor' } : { action: 'resume', id: d.runId }],
  }),
  DATABASE_NEWER: (d: { path: string; version: number; known: number }) =>
    `${d.path} was written by a newer version of Capstan (schema ${d.version}; this version supports up to ${d.known}). Upgrade Capstan, or set CAPSTAN_HOME to another folder.`,
  DATABASE_OLDER: (d: { path: string }) => ({
    message: `${d.path} was written by an older version of Capstan. List the runs to upgrade it; a backup is kept in the same folder.`,
    next: [{ action: 'list_runs' }],
  }),
  /** `fix`: one or two sentences. Default: to move the file away. */
  DATABASE_UNREADABLE: (d: { path: string; problem: string; fix?: string }) => ({
    message: `${d.path} can't be used as Capstan's database: ${d.problem}. ${d.fix ?? 'Move the file away, or set CAPSTAN_HOME to another folder.'}`,
    next: [{ action: 'run_doctor' }],
  }),
  ISOLATION_REFUSED: (d: { wanted: string; inForce: string; why: string; fix: string }) =>
    `Isolation level ${d.wanted} is required, but the available level is ${d.inForce} (${d.why}). Nothing was started. ${d.fix}`,
  ISOLATION_MISSING: (d: { why: string; fix: string }) => ({
    message: `No isolation is available on this machine (${d.why}). Nothing was started. ${d.fix} Or accept the risk of running without isolation.`,
    next: [{ action: 'run_doctor' }, { action: 'waive_isolation' }],
  }),
  CAPSULE_TIMED_OUT: (d: { capsule: string; timeoutMs: number } & ProcessEnd) =>
    `Capsule "${d.capsule}" did not respond within ${d.timeoutMs} ms of its own time (CAPSTAN_CAPSULE_TIMEOUT_SEC).${stderrText(d)}`,
  CAPSULE_SPOKE_NONSENSE: (d: { capsule: string; problem: string } & ProcessEnd) =>
    `Capsule "${d.capsule}" broke the protocol: ${d.problem}${stderrText(d)}`,
  CAPSULE_FELL_SILENT: (d: { capsule: string } & ProcessEnd) =>
    `Capsule "${d.capsule}" ended without a response (exit code ${d.exitCode ?? 'none'}, signal ${d.signal ?? 'none'}).${stderrText(d)}`,
  CAPSULE_NOT_ISOLATED: (d: { capsule: string; level: string; problem: string }) =>
    `Capsule "${d.capsule}" was not started because it can't be isolated at level ${d.level}: ${d.problem}`,
  CAPSULE_NOT_STARTED: (d: { capsule: string; problem: string }) =>
    `Capsule "${d.capsule}" could not be started: ${d.problem}`,
  LINE_TOO_LONG: (d: { maxBytes: number; capsule?: string } & ProcessEnd) =>
    `${d.capsule === undefined ? 'A line' : `A line of capsule "${d.capsule}"`} is longer than ${d.maxBytes} bytes (CAPSTAN_LINE_BYTES).${stderrText(d)}`,
  RUN_UNREADABLE: (d: { id: string }) =>
    `Run ${d.id} was started by another version of Capstan, and this version can't read its policy. Run the task again, or resume the run with that version.`,
  CAPSULES_EXHAUSTED: (d: { limit: number }) =>
    `The run has used its maximum of ${d.limit} capsules (CAPSTAN_MAX_CAPSULES).`,
  NO_RUN_PARKED: (d: { workspace: string; elsewhere: number }) => ({
    message: `No run is parked in ${d.workspace}.${d.elsewhere > 0 ? ` Parked in other workspaces: ${d.elsewhere}.` : ''}`,
    next: d.elsewhere > 0 ? [{ action: 'list_runs' }] : [],
  }),
  /** `runs`: a line about each. */
  SEVERAL_RUNS_PARKED: (d: {
    workspace: string;
    ids: readonly string[];
    runs: readonly string[];
  }) => ({
    message: `Several runs are parked in ${d.workspace}. Name the one to resume:\n${d.runs.join('\n')}`,
    next: d.ids.map((id) => ({ action: 'resume', id })),
  }),
  RUN_NOT_PARKED: (d: { id: string; status: string; isTask: boolean }) => ({
    message: `Run ${d.id} can't be resumed: ${notResumable(d)}`,
    next: [{ action: !d.isTask && d.status === 'parked' ? 'cancel' : 'show_run', id: d.id }],
  }),
  RUN_ACTIVE: (d: { id: string }) => ({
    message: `Run ${d.id} is still running.`,
    next: [{ action: 'cancel', id: d.id }],
  }),
  RUN_ENDED: (d: { id: string; status: string; what: string }) => ({
    message: `Run ${d.id} can't ${d.what}: it has ended (${d.status}).`,
    next: [{ action: 'show_run', id: d.id }],
  }),
  SESSION_UNKNOWN: (d: { id: string }) => `There is no session "${d.id}".`,
  NO_SESSION: (d: { workspace: string }) =>
    `There is no earlier run in ${d.workspace} to continue.`,
  SESSION_PARKED: (d: { session: string; run: string }) => ({
    message: `Session ${d.session} takes no new task while its newest run ${d.run} is parked. Resume or cancel that run first.`,
    next: [
      { action: 'resume', id: d.run },
      { action: 'cancel', id: d.run },
    ],
  }),
  RUN_TAKEN_OVER: (d: { id: string }) => ({
    message: `Another process continues run ${d.id}: the lease of this process had expired.`,
    next: [{ action: 'show_run', id: d.id }],
  }),
  RUN_NOT_REPLAYABLE: (d: { id: string; problem: string; isParked?: boolean }) => ({
    message: `Run ${d.id} can't be replayed: ${d.problem}.`,
    next: d.isParked ? [{ action: 'resume', id: d.id }] : [],
  }),
  REPLAY_DIVERGED: (d: { where: string }) => `The replay differs from its recording: ${d.where}.`,
  RECORDING_INVALID: (d: { path: string; problem: string }) =>
    `${d.path} can't be used as a recording: ${d.problem}.`,
  FORK_FILES_DIFFER: (d: { workspace: string; files: number }) => ({
    message: `Some files in ${d.workspace} (${d.files}) differ from the history of the forked run. Restore them, or force the fork.`,
    next: [{ action: 'force_fork' }],
  }),
  RUN_PARKED: (_: Record<string, never>) =>
    'The run is parked: it waits for an answer, and nobody is available to give one.',
  /** `output`: what a process had printed when it was ended. */
  CANCELLED: (d: { what: string; isLate?: boolean; output?: string }) =>
    `${d.what} was cancelled${d.isLate ? ': the time limit of the run was over' : ''}.`,
  TOOL_UNKNOWN: (d: { tool: string; known: readonly string[] }) =>
    `There is no tool "${d.tool}". Known: ${d.known.join(', ') || 'none'}.`,
  TOOL_ARGS_INVALID: (d: { tool: string; issues: string }) =>
    `Arguments for tool "${d.tool}" are invalid: ${d.issues}`,
  TOOL_FAILED: (d: { tool: string; problem: string }) => `${d.tool} failed: ${d.problem}`,
  TOOL_TIMED_OUT: (d: { tool: string; timeoutMs: number; output?: string }) =>
    `${d.tool} was stopped after ${d.timeoutMs} ms (CAPSTAN_TOOL_TIMEOUT_SEC).${d.output ? ` Its last output:\n${d.output}` : ''}`,
  TOOL_INTERRUPTED: (d: { tool: string; output: string; isStopped: boolean }) =>
    `${d.tool} was interrupted: ${d.isStopped ? 'the run was stopped (by the person, or by a signal)' : 'the time limit of the run was over'} while it ran, and it was ended. What it had done by then remains. Do not repeat it unless that is still wanted.${d.output ? ` Its last output:\n${d.output}` : ''}`,
  WRITES_DISCARDED: (d: DiscardDetails) =>
    `${d.tool} changed ${d.places.join(', ')}, and that was discarded: \`/tmp\` and \`/dev/shm\` are private to each command. Use a path in the workspace instead.${endingOf(d)}`,
  HOME_DISCARDED: (d: DiscardDetails) =>
    `${d.tool} changed ${d.places.join(', ')}, and that was discarded: the home is private to each command, and no command can change yours. Use a file in the workspace instead, or run the command in your own terminal.${endingOf(d)}`,
  PLANTED_FILES_LEFT: (d: { tool: string; workspace: string; problems: string; notice?: string }) =>
    `A program that ${d.tool} ran may have left protected files in ${d.workspace}, which can run programs on this machine: ${d.problems}. Check the folder and remove files that are not yours before you open it in an editor or a shell. Until then, no command runs in it.${d.notice ? ` ${d.notice}` : ''}`,
  /** `meant`: a path with a similar name. */
  FILE_MISSING: (d: { path: string; kind: 'file' | 'folder'; meant?: string }) =>
    d.meant === undefined
      ? `No ${d.kind} \`${d.path}\` in the workspace.`
      : `No ${d.kind} \`${d.path}\`. Did you mean \`${d.meant}\`?`,
  PATH_OUTSIDE_ROOTS: (d: { path: string; roots: readonly string[] }) =>
    `"${d.path}" is outside the workspace (${d.roots.join(', ')}).${/^~(?:\/|$)/.test(d.path) ? ' "~" is not expanded: write the path relative to the workspace.' : ''}`,
  PATH_PROTECTED: (d: { path: string; access: string }) =>
    `"${d.path}" is a protected path: capsules may not ${d.access} it. Only the user's setting CAPSTAN_OPEN_PATHS opens such a path.`,
  PATH_NOT_GRANTED: (d: { path: string; access: string }) =>
    `"${d.path}" is outside the paths that this capsule may ${d.access} (grants.tools.<tool>.paths of its manifest).`,
  /** `what`: `not a public address`. */
  ADDRESS_PRIVATE: (d: { host: string; what: string; origin: string }) =>
    `${d.host} is ${d.what}. The user's setting CAPSTAN_PRIVATE_ORIGINS can open ${d.origin}.`,
  FILE_CHANGED: (d: { path: string; which?: 'new content' }) =>
    d.which === 'new content'
      ? `The new content of "${d.path}" is not what the call was decided on, since a file that it comes from changed in the meantime. Nothing was written.`
      : `"${d.path}" changed in the meantime, so it was left as it is.`,
  SERVICE_UNKNOWN: (d: { service: string; known: readonly string[] }) =>
    `There is no service "${d.service}". Known: ${d.known.join(', ') || 'none'} (services.yaml in the settings folder).`,
  INTENT_DENIED: (d: { what: string; reason: string; sentence: string }) =>
    `${d.what} was denied${d.reason === 'denied' ? '' : ` (${d.reason})`}: ${d.sentence}`,
  CAPSULE_DIVERGED: (d: { capsule: string; effects: number }) =>
    `Capsule "${d.capsule}" made a different request than before it was interrupted. ${d.effects} of its earlier effects remain, and a person chose not to continue.`,
  OUTCOME_ABANDONED: (d: { what: string }) =>
    `${d.what} had started when its process died, so its outcome is unknown, and a person chose not to continue.`,
  LOOP_IDENTICAL: (d: { what: string; count: number }) =>
    `The capsule made the same request ${d.count} times in one attempt: ${d.what}.`,
  LOOP_ERRORS: (d: { count: number; last: string }) =>
    `${d.count} requests of the capsule failed in a row; the last: ${d.last}`,
  TOO_MANY_INTENTS: (d: { limit: number }) =>
    `The capsule made more than ${d.limit} requests in one attempt (CAPSTAN_MAX_INTENTS).`,
  TOO_MANY_IN_FLIGHT: (d: { limit: number }) =>
    `More than ${d.limit} requests are in flight; wait for a response first.`,
  PROVIDER_FAILED: (d: { problem: string }) => d.problem,
  MODEL_NEEDED: (d: { problem: string }) => ({
    message: d.problem,
    next: [{ action: 'choose_provider' }],
  }),
  ATTACHMENT_NEEDS_MODEL: (_: Record<string, never>) => ({
    message:
      'Text that is given with a task needs a language model, and there is none. Choose one, or save the text as a file and name the file in the task.',
    next: [{ action: 'choose_provider' }],
  }),
  MODEL_ANSWER_INVALID: (d: { document: string; problem: string }) =>
    `The model's answer is not a valid "${d.document}" document: ${d.problem}`,

  MANIFEST_INVALID: (d: { path: string; issues: string; found: readonly Located[] }) =>
    inCapsule(d.path, ` is invalid:\n${d.issues}`),
  OVERLAY_INVALID: (d: { path: string; problem: string }) => inCapsule(d.path, `: ${d.problem}`),
  CAPSULE_UNKNOWN: unknownCapsuleText,
  CAPSULE_QUARANTINED: quarantined,
  SKILL_UNKNOWN: unknownSkill,
  ARCHIVE_INVALID: (d: { path: string; problem: string }) => ({
    message: `${d.path} can't be imported: ${d.problem}. Nothing was written. Export the capsule again.`,
    next: [{ action: 'export_capsule' }],
  }),
  CAPSULE_FOLDER_INVALID: (d: { path: string; problem: string }) =>
    inCapsule(d.path, ` can't be imported: ${d.problem}. Nothing was written.`),
  TEMPLATE_INVALID: (d: { where: string; problem: string }) => inCapsule(d.where, `: ${d.problem}`),
  /** `isDownloadable`: the model only has to be downloaded. */
  EMBEDDER_UNAVAILABLE: (d: {
    embedder: string;
    problem: string;
    fix: string;
    isDownloadable?: boolean;
  }) => `The embedder "${d.embedder}" can't be used: ${d.problem}. ${d.fix}`,

  NOT_RECORDED: (d: { what: string }) => ({
    message: `No answer is recorded for ${d.what}, and a trial without live access reaches nothing outside its folder. Allow live access, or record the answers with the capsule's cases.`,
    next: [{ action: 'record_cases' }],
  }),
  CASE_INVALID: (d: { issues: string; found: readonly Located[] }) =>
    `A case is invalid:\n${d.issues}`,
  OVERLAY_UNKNOWN: (d: { version: string; capsule: string; known: readonly string[] }) =>
    `"${d.version}" is neither a stored version of the overlay of "${d.capsule}" nor a Git revision that contains it. Stored: ${d.known.join(', ') || 'none'}.`,
  OVERLAY_CHANGED: (d: { capsule: string }) =>
    `The overlay of "${d.capsule}" was changed elsewhere. Read it again, and compare before you save.`,

  MEMORY_UNKNOWN: (d: { capsuleId: string; id: number }) => ({
    message: `"${d.capsuleId}" has no memory item with the id ${d.id}.`,
    next: [{ action: 'list_memory', id: d.capsuleId }],
  }),
  MEMORY_UNTRUSTED: (d: { capsuleId: string; id: number; text: string }) => ({
    message: `Item ${d.id} of "${d.capsuleId}" was written after its run read content that you did not name. Read it, and confirm it first: "${d.text}"`,
    next: [{ action: 'confirm_memory', id: `${d.capsuleId} ${d.id}` }],
  }),

  PLAN_INVALID: (d: { problem: string }) => `The plan is invalid: ${d.problem}`,
  /** `why`: a sentence without a capital letter at its beginning. */
  PLAN_DROPPED: (d: { why: string }) =>
    `The plan was dropped, and none of its steps started: ${d.why}`,
  NO_CAPSULE_FITS: (d: { subtask: string; problem: string }) =>
    `No capsule fits "${d.subtask}": ${d.problem}`,
  /** `meant`: the id of a run that the id is the start of. */
  RUN_UNKNOWN: (d: { id: string; meant?: string | undefined }) => ({
    message: `There is no run "${d.id}". Name a run by the end of its id${d.meant ? `: did you mean ${d.meant}?` : '.'}`,
    next: [{ action: 'list_runs' }],
  }),

  APPROVAL_UNKNOWN: (d: { id: string; kind?: 'remembered' }) => ({
    message: `There is no ${d.kind === 'remembered' ? 'remembered answer' : 'question'} "${d.id}".`,
    next: [{ action: d.kind === 'remembered' ? 'list_remembered' : 'list_approvals' }],
  }),
  APPROVAL_CLOSED: (d: { id: string; what: string }) =>
    `Question ${d.id} can no longer be answered: ${d.what}.`,
  APPROVAL_CHOICE: (d: {
    id: string;
    given: string;
    choices: readonly ApprovalAnswer[];
    free_text?: boolean;
  }) => `"${d.given}" is not an answer to question ${d.id}. Choices: ${d.choices.join(', ')}.`,
  APPROVAL_ELSEWHERE: (d: { id: string; given: string; binding: string }) => ({
    message: `Question ${d.id} is about ${d.binding}, not ${d.given}. Show it again before you answer.`,
    next: [{ action: 'show_approval', id: d.id }],
  }),
} satisfies Record<string, (details: never) => string | Explanation>;

export type ErrorCode = keyof typeof catalogue;
export type ErrorDetails<C extends ErrorCode> = Parameters<(typeof catalogue)[C]>[0];

/** Every code, in the order of the documentation. */
export const errorCodes = Object.keys(catalogue) as readonly ErrorCode[];

/** A failure with a stable `code` to match on, typed `details` to log, a `message` for people, and possible `next` actions. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError';
  readonly code: C;
  readonly details: ErrorDetails<C>;
  /** Empty if the message itself contains the fix. */
  readonly next: readonly NextAction[];

  constructor(code: C, details: ErrorDetails<C>, options?: ErrorOptions) {
    const explain = catalogue[code] as (d: ErrorDetails<C>) => string | Explanation;
    const explained = explain(details);
    const { message, next } =
      typeof explained === 'string' ? { message: explained, next: [] } : explained;
    super(message, options);
    this.code = code;
    this.details = details;
    this.next = next;
  }
}

/** Narrows an unknown failure to one code: `if (failedWith(error, 'CAPSULE_TIMED_OUT')) …` */
export const failedWith = <C extends ErrorCode>(error: unknown, code: C): error is AppError<C> =>
  error instanceof AppError && error.code === code;

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Anything that was thrown, as an Error. */
export const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
