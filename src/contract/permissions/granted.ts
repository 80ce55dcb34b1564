/** The part of a grant that the arguments of a tool depend on. */
export interface Granted {
  /** By the short name of the operation: `read`. */
  can(operation: string): boolean;
  /** Whether shell strings and code are granted, not only named commands. */
  readonly hasShell: boolean;
  readonly hasHosts: boolean;
  readonly hasPaths: boolean;
  readonly hasServices: boolean;
  /** The granted paths, hosts and commands as text; empty if they are not limited. */
  readonly limits: string;
}
