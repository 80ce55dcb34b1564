import { bubblewrap } from '../bubblewrap/bubblewrap.ts';
import type { Candidate } from '../find/candidate.ts';
import { findLinuxPrograms } from '../find/programs.ts';
import { landlock } from '../landlock/landlock.ts';
import { nodePermission } from './node-permission.ts';

const NO_FILTER = `no system call filter is known for ${process.arch}`;

/** Level A by bubblewrap, B by Landlock, C by Node. */
export function linuxCandidates(readable: readonly string[]): readonly Candidate[] {
  const { bwrap, prlimit, python3 } = findLinuxPrograms();
  const missing = (name: string, path: string | undefined): string | undefined =>
    path === undefined ? `${name} is not installed` : undefined;
  return [
    {
      level: 'A',
      sandbox:
        bwrap && prlimit ? bubblewrap({ programs: { bwrap, prlimit }, readable }) : undefined,
      problem: missing('bubblewrap', bwrap) ?? missing('prlimit', prlimit) ?? NO_FILTER,
    },
    {
      level: 'B',
      sandbox:
        python3 && prlimit ? landlock({ programs: { python3, prlimit }, readable }) : undefined,
      problem: missing('python3', python3) ?? missing('prlimit', prlimit) ?? NO_FILTER,
    },
    { level: 'C', sandbox: nodePermission({ prlimit }), problem: '' },
  ];
}
