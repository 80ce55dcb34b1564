/** What a capsule may use one tool for, as far as the tool's arguments depend on it. */
export interface Granted {
  /** By the short name of the operation: `read`. */
  can(operation: string): boolean;
  /** Shell strings and code, not only named commands. */
  readonly hasShell: boolean;
  readonly hasHosts: boolean;
  readonly hasPaths: boolean;
  readonly hasServices: boolean;
  /** The granted paths, hosts and commands in words; empty if they are not limited. */
  readonly limits: string;
}
