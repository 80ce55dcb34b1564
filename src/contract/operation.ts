/** 0 read, 1 write, 2 execute or change something remote, 3 spend. */
export type Tier = 0 | 1 | 2 | 3;

/** What may happen when it is done twice: `pure` and `idempotent` may repeat, `unsafe` may not. */
export type Repeatability = 'pure' | 'idempotent' | 'unsafe';

/** What one tool call is, derived from its arguments alone. Policy decides on this, never on what the capsule calls it. */
export interface Operation {
  readonly tool: string;
  /** `file_io.read`, `terminal.write`, `http_api.POST`. */
  readonly name: string;
  readonly tier: Tier;
  readonly repeatability: Repeatability;
  /** As the capsule gave them: absolute, or relative to the workspace. */
  readonly paths: readonly TouchedPath[];
  /** The new content of a written file in full, where it is known before. */
  readonly content?: string | undefined;
  /** Text that is added to what a file holds: what an append or an edit inserts. */
  readonly inserted?: string | undefined;
  /** The new content of the written file, computed from the old one; undefined where that is impossible. Pure. */
  readonly rewrite?: ((old: Buffer | undefined) => Buffer | undefined) | undefined;
  /** Parsed once: the URL that is decided on is the URL that is requested. */
  readonly url?: URL | undefined;
  readonly command?: Command | undefined;
  /** Hosts that the command may reach. Default: none. */
  readonly network?: readonly URL[] | undefined;
  /** The name of a service that the user configured: its credentials are used. */
  readonly service?: string | undefined;
  /** One short line for a person: what is touched. */
  readonly target: string;
}

export type Access = 'read' | 'write';

export interface TouchedPath {
  readonly path: string;
  readonly access: Access;
  /** True where everything below the folder is touched as well. Default: false. */
  readonly subtree?: boolean | undefined;
}

/** `cwd` is as the capsule gave it, like a path. */
export type Command = { readonly access: Access; readonly cwd: string } & (
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'python'; readonly code: string }
);
