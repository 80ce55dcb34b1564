/** 0 read, 1 write, 2 execute or change something remote, 3 spend. */
export type Tier = 0 | 1 | 2 | 3;

/** Whether an operation may be performed twice: `pure` and `idempotent` may, `unsafe` may not. */
export type Repeatability = 'pure' | 'idempotent' | 'unsafe';

/** One tool call, derived from its arguments alone. The policy decides on this, never on the capsule's description. */
export interface Operation {
  readonly tool: string;
  /** `file_io.read`, `terminal.write`, `http_api.POST`. */
  readonly name: string;
  readonly tier: Tier;
  readonly repeatability: Repeatability;
  /** As the capsule gave them: absolute, or relative to the workspace. */
  readonly paths: readonly TouchedPath[];
  /** The full new content of a written file, if it is known in advance. */
  readonly content?: string | undefined;
  /** Text that an append or an edit inserts into a file; statements that change a database, with their values. */
  readonly inserted?: string | undefined;
  /** Parsed once, so that the requested URL is the one that was decided on. */
  readonly url?: URL | undefined;
  readonly command?: Command | undefined;
  /** Hosts that the command may connect to. Default: none. */
  readonly network?: readonly URL[] | undefined;
  /** The name of a service that the user configured and whose credentials are used. */
  readonly service?: string | undefined;
  /** Whether it only asks the person a question. Default: false. */
  readonly isQuestion?: boolean | undefined;
  /** The target, as one short line for people. */
  readonly target: string;
  /** The lines of it that are read, for people: `200-400`. Default: all. */
  readonly lines?: string | undefined;
}

export type Access = 'read' | 'write';

export interface TouchedPath {
  readonly path: string;
  readonly access: Access;
  /** Whether it includes everything below the folder. Default: false. */
  readonly subtree?: boolean | undefined;
  /** The new content of a written file. Default: unknown in advance. */
  readonly becomes?: Becomes | undefined;
}

/** The new content of a written file, as far as it is known before the call. */
export type Becomes =
  /** Computed from the old content; undefined if that is missing. Throws if it can't be applied. Changes nothing. */
  | {
      readonly kind: 'rewritten';
      by(old: Buffer | undefined): Rewritten | Promise<Rewritten>;
      /** Larger files are not rewritten. Default: no limit. */
      readonly maxBytes?: number;
    }
  /** The content of another path, as the capsule gave it. */
  | { readonly kind: 'copy'; readonly of: string }
  /** A database that statements change: known after they were performed on a copy (`PreparedCall.preview`). */
  | { readonly kind: 'database' }
  | { readonly kind: 'removed' };

type Rewritten = Buffer | undefined;

/** `cwd` is as the capsule gave it: absolute, or relative to the workspace. */
export type Command = { readonly access: Access; readonly cwd: string } & (
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'python'; readonly code: string }
);
