import { installFolder, packageVersion } from '../config/files/install-folder.ts';
import { processEnvironment } from '../config/places.ts';
import { closeInherited } from '../runtime/process/close-inherited.ts';

/** The version of this Capstan. */
export const ownVersion = (): string => packageVersion();

/** The environment of this process, for the entry file of a surface. */
export const ownEnvironment = (): NodeJS.ProcessEnv => processEnvironment();

/** Closes file descriptors that the parent process left open. To be called by an entry file before it opens anything. */
export const closeInheritedFiles = (): void => closeInherited();

/** The folder that this Capstan is installed in. */
export const ownFolder = (): string => installFolder();
