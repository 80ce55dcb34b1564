import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** System folders only. PATH is not used, because anyone who can write to one of its folders could replace the sandbox. */
const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** The sandbox programs of Linux, absolute. */
export interface LinuxPrograms {
  readonly bwrap: string | undefined;
  readonly prlimit: string | undefined;
  readonly python3: string | undefined;
}

export const findLinuxPrograms = (): LinuxPrograms => ({
  bwrap: findProgram('bwrap'),
  prlimit: findProgram('prlimit'),
  python3: findProgram('python3'),
});

function findProgram(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
