export type Environment = Readonly<Record<string, string | undefined>>;

/** The run that `presence` is asked about. */
export interface PresentRun {
  readonly id: string;
  readonly workspace: string;
}

/** Whether someone can answer questions of this run now. Called each time a question opens; if it throws, nobody can. */
export type Presence = (run: PresentRun) => boolean;

/**
 * Overrides of settings, as the options of a command are named: `provider`, `model`, `budgetUsd`, `approveMode`,
 * `timeout`, `requireIsolation`, `workspace`, and `trustProject`. They win over every file and the environment.
 * `runs.start` and `runs.resume` refuse any other name.
 */
export type SettingsOverrides = Readonly<Record<string, unknown>>;

export interface OpenOptions {
  /** The environment: settings, keys and folders are taken from it. Nothing else of the process is read. */
  readonly env: Environment;
  /** The workspace by default, and what relative paths are relative to. Absolute. */
  readonly cwd: string;
  /** Default: nobody can answer. */
  readonly presence?: Presence | undefined;
  readonly now?: (() => Date) | undefined;
}
