/** One command of `capstan`, as data: the parser, `--help` and the documentation are all drawn from it. */
export interface CommandDefinition {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Positional arguments as help shows them: `<id>`, `[path]`, `<task...>`. */
  readonly arguments?: string;
  readonly options: readonly CommandOption[];
  /** Whole command lines. */
  readonly examples: readonly string[];
  readonly subcommands?: readonly CommandDefinition[];
  /** @returns The exit code. What it throws is shown by the entry point. */
  run(args: CommandArguments, io: CommandIo): Promise<number>;
}

export interface CommandOption {
  /** `--json`, or with a value `--provider <name>`. */
  readonly flags: string;
  readonly description: string;
}

export interface CommandArguments {
  readonly positionals: readonly string[];
  /** By camel-cased name: `--trust-project` is `trustProject`. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** All that a command may touch of the process it runs in. */
export interface CommandIo {
  /** Results. The text is written as it is: a line ends with its own line break. */
  readonly stdout: (text: string) => void;
  /** Resolves when stdout can take more; false if its reader is gone. Default: it always can. */
  readonly stdoutReady?: () => Promise<boolean>;
  /** Everything else: notices, progress, questions. */
  readonly stderr: (text: string) => void;
  /** Whether a person is there to answer. */
  readonly isTerminal: boolean;
  /** Whether stdout is a terminal, which text of unknown origin must not steer. */
  readonly isOutputTerminal?: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Where answers are read from. Default: the standard input. */
  readonly input?: NodeJS.ReadableStream;
}
