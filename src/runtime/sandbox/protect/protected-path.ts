/** A path in the workspace that a process there must not read or must not change. */
export interface ProtectedPath {
  /** Absolute. */
  readonly path: string;
  /**
   * `held` protects only a folder's name and location, on which the protection of its contents depends. Nothing is mounted over a
   * `link`: its target is checked, and afterwards that the link is unchanged. A `channel` is a socket or a pipe: it
   * is hidden, because it may lead to programs outside, even if the workspace is read-only. The content of a `git config` is still to be
   * checked; a `copied` file is replaced by its copy, read-only.
   */
  readonly how:
    | 'hidden file'
    | 'hidden folder'
    | 'read-only'
    | 'held'
    | 'link'
    | 'channel'
    | 'git config'
    | 'copied';
  readonly copy?: Buffer;
  /** The target of a link, unresolved. */
  readonly target?: string;
  /** The identity of the file, independent of its name and location; not for links and channels. */
  readonly id?: string;
}
