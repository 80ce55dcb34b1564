import { join } from 'node:path';
import { isProgram } from '../../../platform/files/is-program.ts';

/** System folders only. PATH is not used, because anyone who can write to one of its folders could replace the sandbox. */
const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** The sandbox programs of Linux, absolute; undefined if they are missing. */
export const findLinuxPrograms = () => ({
  bwrap: findProgram('bwrap'),
  prlimit: findProgram('prlimit'),
  python3: findProgram('python3'),
});

const findProgram = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find(isProgram);
