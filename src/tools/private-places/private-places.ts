import type { IsolationLevel } from '../../contract/permissions/isolation.ts';

/** The private folders of each command: empty when it starts, discarded when it ends. `~` is the home. */
export const privatePlaces = (level: IsolationLevel): readonly string[] =>
  level === 'A' ? ['~', '/tmp', '/dev/shm'] : ['~'];

/** Part of the description of a tool that starts a process. */
export const PRIVATE_PLACES =
  'Only the workspace is kept: the home (`~`) and the temporary folders (`/tmp`, `/dev/shm`) are private to each call and discarded. A call that names a file there to keep it, or changes the home (`git config --global`), fails.';

/** A hint for a command that names a folder whose content is discarded. */
export function privatePlacesHint(level: IsolationLevel): string {
  const how = 'private to each command: empty at its start, discarded at its end';
  return level === 'none'
    ? `~ is ${how}.`
    : `Only the workspace is kept. ${privatePlaces(level).join(', ')} ${level === 'A' ? 'are' : 'is'} ${how}; other folders can't be written.`;
}
