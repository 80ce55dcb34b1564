/** One command of `capstan` as data. The parser, help, completion and docs/cli.md are built from it. */
export interface CommandDefinition {
  readonly name: string;
  /** One line that begins with a verb, without a full stop. It must fit into the help of its parent. */
  readonly summary: string;
  /** A sentence after the summary in its own help. Default: none. */
  readonly note?: string;
  /** The heading under which the help of its parent lists it: `Work`. Default in a group: `Inspect`, for those that only read. */
  readonly topic?: string;
  /**
   * Positional arguments as help shows them: `[path]`, `<task...>`. `<run>`, `<question>`, `<session>` and `<capsule>` are
   * completed with ids. For a command with only subcommands: what most of them take.
   */
  readonly arguments?: string;
  /** A sentence about the arguments, for the help of a command with only subcommands. */
  readonly argumentsNote?: string;
  readonly options: CommandOptions;
  /** Left out of help, docs and completion. */
  readonly hiddenOptions?: CommandOptions;
  /** Complete command lines. */
  readonly examples: readonly string[];
  readonly subcommands?: readonly CommandDefinition[];
  /** @returns The exit code. The entry point prints errors. */
  run(args: CommandArguments, io: CommandIo): Promise<number>;
}

/** Descriptions by flags: `--json`, or with a value `--provider <name>`. */
export type CommandOptions = Readonly<Record<string, string>>;

export interface CommandArguments {
  readonly positionals: readonly string[];
  /** By camel-cased name: `--trust-project` is `trustProject`. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The parts of the process that a command may use. */
export interface CommandIo {
  /** Results. No line break is added. */
  readonly stdout: (text: string) => void;
  /** Resolves when stdout accepts more: true, or false if its reader has closed it. Default: always true. */
  readonly stdoutReady?: () => Promise<boolean>;
  /** Everything else: notices, progress, questions. */
  readonly stderr: (text: string) => void;
  /** Writes a workflow command as it is. Only in GitHub Actions, where all other output is kept free of them. */
  readonly workflow?: (command: string) => void;
  /** Whether questions can be asked: stdin and stderr are terminals, and `CI` is not set. */
  readonly isTerminal: boolean;
  /** Whether stdout is a terminal, so that untrusted text must be escaped. */
  readonly isOutputTerminal?: boolean;
  /** Whether stdin is a pipe or a file. Default: false. */
  readonly isPiped?: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The stream that answers are read from. Default: `process.stdin`. */
  readonly input?: NodeJS.ReadableStream;
}
