/** One entry per failure that is raised on purpose. The message lives beside its facts, so the two cannot drift apart. */
const catalogue = {
  SETTINGS_INVALID: (d: { issues: string }) => `The settings are invalid:\n${d.issues}`,
  /** `field`: the argument that is wrong, as the application API names it. */
  USAGE: (d: { problem: string; field?: string }) => d.problem,

  PLACE_UNUSABLE: (d: { path: string; problem: string }) =>
    `${d.path} can't be Capstan's folder: ${d.problem}. Make it a folder that you can write, or set CAPSTAN_HOME to another folder.`,
  DATABASE_FAILED: (d: { problem: string }) =>
    `The database could not be written: ${d.problem}. What was committed stands; go on with \`capstan resume\` once it can be written.`,
  DATABASE_NEWER: (d: { path: string; version: number; known: number }) =>
    `${d.path} was written by a newer Capstan (schema ${d.version}; this one knows ${d.known}). Upgrade Capstan, or set CAPSTAN_HOME to another folder.`,
  DATABASE_OLDER: (d: { path: string }) =>
    `${d.path} was written by an older Capstan. Bring it up to date: \`capstan runs list\` does that, and keeps a copy.`,
  DATABASE_UNREADABLE: (d: { path: string; problem: string }) =>
    `${d.path} can't be used as Capstan's database: ${d.problem}. Move it away, or set CAPSTAN_HOME to another folder.`,

  ISOLATION_REFUSED: (d: { wanted: string; inForce: string; why: string }) =>
    `Isolation level ${d.wanted} is wanted, and ${d.inForce} is what there is (${d.why}). Nothing was started. Level A needs bubblewrap: apt-get install bubblewrap.`,
  ISOLATION_MISSING: (d: { why: string }) =>
    `Nothing here can isolate what capsules run (${d.why}). Nothing was started. Install bubblewrap (apt-get install bubblewrap), or accept the risk with --dangerously-no-isolation.`,

  CAPSULE_TIMED_OUT: (d: { capsule: string; timeoutMs: number } & ProcessEnd) =>
    `Capsule "${d.capsule}" used up its ${d.timeoutMs} ms without a response.${tail(d)}`,
  CAPSULE_SPOKE_NONSENSE: (d: { capsule: string; problem: string } & ProcessEnd) =>
    `Capsule "${d.capsule}" broke the protocol: ${d.problem}${tail(d)}`,
  CAPSULE_FELL_SILENT: (d: { capsule: string } & ProcessEnd) =>
    `Capsule "${d.capsule}" ended without a response (exit code ${d.exitCode ?? 'none'}, signal ${d.signal ?? 'none'}).${tail(d)}`,
  CAPSULE_NOT_ISOLATED: (d: { capsule: string; level: string; problem: string }) =>
    `Capsule "${d.capsule}" was not started, since it can't be isolated at level ${d.level}: ${d.problem}`,
  CAPSULE_NOT_STARTED: (d: { capsule: string; problem: string }) =>
    `Capsule "${d.capsule}" could not be started: ${d.problem}`,
  LINE_TOO_LONG: (d: { maxBytes: number; capsule?: string } & ProcessEnd) =>
    `${d.capsule === undefined ? 'A line' : `A line of capsule "${d.capsule}"`} grew past ${d.maxBytes} bytes (CAPSTAN_LINE_BYTES).${tail(d)}`,
  RUN_UNREADABLE: (d: { id: string }) =>
    `Run ${d.id} was begun by another version of Capstan, and this one can't read its policy. Run its task again, or resume it with that version.`,
  CAPSULES_EXHAUSTED: (d: { limit: number }) =>
    `The run has used ${d.limit} capsules, which is all that it may use (CAPSTAN_MAX_CAPSULES).`,
  RUN_NOT_PARKED: (d: { id: string; status: string }) =>
    `Run ${d.id} can't be resumed: it is ${d.status}. Only a parked run waits to go on.`,
  RUN_TAKEN_OVER: (d: { id: string }) =>
    `Another process took this one for dead and goes on with run ${d.id}: its lease had run out. See \`capstan runs show ${d.id}\`.`,
  RUN_NOT_REPLAYABLE: (d: { id: string; problem: string }) =>
    `Run ${d.id} can't be replayed: ${d.problem}.`,
  REPLAY_DIVERGED: (d: { where: string }) => `The replay differs from its recording: ${d.where}.`,
  RECORDING_INVALID: (d: { path: string; problem: string }) =>
    `${d.path} can't be used as a recording: ${d.problem}.`,
  FORK_FILES_DIFFER: (d: { workspace: string; files: number }) =>
    `Not all files in ${d.workspace} are what the forked history says (${d.files} differ). Put them right, or go ahead with --force.`,
  RUN_PARKED: (_: Record<string, never>) =>
    'The run is parked: it waits for an answer, and nobody is there to give it.',
  CANCELLED: (d: { what: string }) => `${d.what} was cancelled.`,

  TOOL_UNKNOWN: (d: { tool: string; known: readonly string[] }) =>
    `There is no tool "${d.tool}". Known: ${d.known.join(', ')}.`,
  TOOL_ARGS_INVALID: (d: { tool: string; issues: string }) =>
    `Arguments for tool "${d.tool}" are invalid: ${d.issues}`,
  TOOL_FAILED: (d: { tool: string; problem: string }) => `${d.tool} failed: ${d.problem}`,
  TOOL_TIMED_OUT: (d: { tool: string; timeoutMs: number; output?: string }) =>
    `${d.tool} was ended after ${d.timeoutMs} ms (CAPSTAN_TOOL_TIMEOUT_SEC).${d.output ? ` Its last output:\n${d.output}` : ''}`,
  PLANTED_FILES_LEFT: (d: { tool: string; workspace: string; problems: string; told?: string }) =>
    `What ${d.tool} ran may have left protected files in ${d.workspace}, which can run programs of its choice on this machine: ${d.problems}. Look there, and remove what is not yours, before you open the folder in an editor or a shell; until then, no command runs in it.${d.told ? ` ${d.told}` : ''}`,
  PATH_OUTSIDE_ROOTS: (d: { path: string; roots: readonly string[] }) =>
    `"${d.path}" lies outside the workspace (${d.roots.join(', ')}).`,
  PATH_PROTECTED: (d: { path: string; access: string }) =>
    `"${d.path}" is a protected path: capsules may not ${d.access} it. Only the person's setting CAPSTAN_OPEN_PATHS opens such a path.`,
  PATH_NOT_GRANTED: (d: { path: string; access: string }) =>
    `"${d.path}" lies outside the paths that this capsule may ${d.access} (grants.tools.<tool>.paths of its manifest).`,
  FILE_CHANGED: (d: { path: string }) =>
    `"${d.path}" changed after this run had read it; it was left as it is.`,

  SERVICE_UNKNOWN: (d: { service: string; known: readonly string[] }) =>
    `There is no service "${d.service}". Known: ${d.known.join(', ') || 'none'} (services.yaml in the settings folder).`,
  INTENT_DENIED: (d: { what: string; reason: string; sentence: string }) =>
    `${d.what} was denied (${d.reason}): ${d.sentence}`,
  CAPSULE_DIVERGED: (d: { capsule: string; effects: number }) =>
    `Capsule "${d.capsule}" asked for something else than before it was interrupted, and ${d.effects} of its effects stand; a person chose not to go on.`,
  OUTCOME_ABANDONED: (d: { what: string }) =>
    `${d.what} had been started when its process died, and a person chose not to go on.`,
  LOOP_IDENTICAL: (d: { what: string; count: number }) =>
    `The capsule asked for the very same thing ${d.count} times in one attempt: ${d.what}.`,
  LOOP_ERRORS: (d: { count: number; last: string }) =>
    `${d.count} requests of the capsule failed in a row; the last: ${d.last}`,
  TOO_MANY_INTENTS: (d: { limit: number }) =>
    `The capsule made more than ${d.limit} requests in one attempt (CAPSTAN_MAX_INTENTS).`,
  TOO_MANY_IN_FLIGHT: (d: { limit: number }) =>
    `More than ${d.limit} requests are in flight; wait for an answer first.`,

  PROVIDER_FAILED: (d: { provider: string; problem: string }) => `${d.provider}: ${d.problem}`,
  MODEL_NEEDED: (d: { step: string; problem: string }) =>
    `"${d.step}" can't be done without a language model: ${d.problem}. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, or start Ollama, and choose it with --provider.`,

  MODEL_ANSWER_INVALID: (d: { document: string; problem: string }) =>
    `The model's answer is not the "${d.document}" document that was asked for: ${d.problem}`,

  MANIFEST_INVALID: (d: { path: string; issues: string; found: readonly Located[] }) =>
    `${d.path} is invalid:\n${d.issues}`,
  OVERLAY_INVALID: (d: { path: string; problem: string }) => `${d.path}: ${d.problem}`,
  CAPSULE_UNKNOWN: (d: { id: string; known: readonly string[] }) =>
    `There is no capsule "${d.id}". Known: ${d.known.join(', ')}.`,
  CAPSULE_QUARANTINED: (d: { id: string; reason: string; since: string }) =>
    `Capsule "${d.id}" is quarantined since ${d.since}: ${d.reason}. Look at it: capstan capsules inspect ${d.id}. Take it back: capstan capsules restore ${d.id}`,
  SKILL_UNKNOWN: (d: { skill: string; where: string; known: readonly string[] }) =>
    `${d.where} names the skill "${d.skill}", which does not exist. Known: ${d.known.join(', ')}.`,
  ARCHIVE_INVALID: (d: { path: string; problem: string }) =>
    `${d.path} can't be imported: ${d.problem}. Nothing was written. Export the capsule again: capstan capsules export <id>`,
  TEMPLATE_INVALID: (d: { where: string; problem: string }) => `${d.where}: ${d.problem}`,
  EMBEDDER_UNAVAILABLE: (d: { embedder: string; problem: string; fix: string }) =>
    `The embedder "${d.embedder}" can't be used: ${d.problem}. ${d.fix}`,

  NOT_RECORDED: (d: { what: string }) =>
    `Nothing is recorded of ${d.what}, and a trial reaches nothing beyond its own folder. With --live models are asked, and pages that the task names are read; \`capsules test --record\` keeps their answers.`,
  CASE_INVALID: (d: { issues: string; found: readonly Located[] }) =>
    `A case is invalid:\n${d.issues}`,
  OVERLAY_UNKNOWN: (d: { version: string; capsule: string; known: readonly string[] }) =>
    `"${d.version}" is neither a version of the overlay of "${d.capsule}" that was kept nor a git revision that has it. Kept: ${d.known.join(', ') || 'none'}.`,

  PLAN_INVALID: (d: { problem: string }) => `The plan can't be carried out: ${d.problem}`,
  NO_CAPSULE_FITS: (d: { subtask: string; problem: string }) =>
    `No capsule fits "${d.subtask}": ${d.problem}`,
  RUN_UNKNOWN: (d: { id: string }) =>
    `There is no run "${d.id}". \`capstan runs list\` shows the ones that there are.`,

  APPROVAL_UNKNOWN: (d: { id: string }) =>
    `There is no question "${d.id}". \`capstan approvals list --all\` shows the ones that there are.`,
  APPROVAL_CLOSED: (d: { id: string; what: string }) =>
    `Question ${d.id} takes no answer any more: ${d.what}.`,
  APPROVAL_ELSEWHERE: (d: { id: string; given: string; binding: string }) =>
    `Question ${d.id} is about ${d.binding}, not ${d.given}. Look at what it asks for now: capstan approvals show ${d.id}`,
} satisfies Record<string, (details: never) => string>;

/** What is wrong in one place of a file. */
export interface Located {
  /** `/…/manifest.json:12` */
  readonly where: string;
  /** Without a full stop. */
  readonly problem: string;
  /** What to do about it: a sentence. */
  readonly fix: string;
}

/** How a capsule process ended, where it is known. */
export interface ProcessEnd {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** The last of what it wrote to stderr. */
  readonly stderrTail?: string | undefined;
}

function tail({ stderrTail }: ProcessEnd): string {
  const text = stderrTail?.trim();
  return text ? `\nIts last words on stderr:\n${text}` : '';
}

export type ErrorCode = keyof typeof catalogue;
export type ErrorDetails<C extends ErrorCode> = Parameters<(typeof catalogue)[C]>[0];

/** Every code there is, for the test that compares them with the documentation. */
export const errorCodes = Object.keys(catalogue) as readonly ErrorCode[];

/** A failure with a stable `code` to match on, typed `details` to log, and a `message` for people. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AppError';
  readonly code: C;
  readonly details: ErrorDetails<C>;

  constructor(code: C, details: ErrorDetails<C>, options?: ErrorOptions) {
    super((catalogue[code] as (d: ErrorDetails<C>) => string)(details), options);
    this.code = code;
    this.details = details;
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
