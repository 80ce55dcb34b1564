import type { IsolationLevel } from '../../contract/isolation.ts';

/** Folders that each command has for itself: empty when it starts, discarded when it ends. `~` is the home. */
export const privatePlaces = (level: IsolationLevel): readonly string[] =>
  level === 'A' ? ['~', '/tmp', '/dev/shm'] : ['~'];

/** Part of the description of a tool that starts a process. */
export const PRIVATE_PLACES =
  'Only the workspace is kept. The home (`~`) and the temporary folder (at isolation level A `/tmp` and `/dev/shm`) are private: empty when it starts, discarded when it ends. The call fails if it leaves a file there under a name that it or the task gives, or only exists to change the home (`git config --global`): use a path in the workspace.';

/** For a command that names a private folder and left nothing in it. */
export const privatePlacesHint = (level: IsolationLevel): string =>
  `${privatePlaces(level).join(', ')}: private to each command, empty when it starts, discarded when it ends; not the folder of this machine.`;
