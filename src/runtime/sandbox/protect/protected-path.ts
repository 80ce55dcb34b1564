/** A path in the workspace that a process there must not read or must not change. */
export interface ProtectedPath {
  /** Absolute. */
  readonly path: string;
  /**
   * `held` only keeps a folder's name and place, on which the protection of what it holds depends. Nothing is mounted over a
   * `link`: where it leads is looked at, and that it is still the same one afterwards. A `channel` is a socket or a pipe: it
   * is hidden, since it may lead to programs outside, also where the workspace is read-only. A `git config` is still to be
   * looked into; in place of a `copied` file its copy is seen, read-only.
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
  /** Where a link leads, as it stands in it. */
  readonly target?: string;
  /** Which file it is, whatever it is called and wherever it is moved; not for links and channels. */
  readonly id?: string;
}
