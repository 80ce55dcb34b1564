import { bubblewrap } from '../bubblewrap/bubblewrap.ts';
import { landlock } from '../landlock/landlock.ts';
import { nodePermission } from '../levels/node-permission.ts';
import type { Sandbox } from '../sandbox.ts';
import { findLinuxPrograms } from './programs.ts';

/** A sandbox that may work here, or a short reason why it can't. */
export interface Candidate {
  readonly level: Sandbox['level'];
  readonly sandbox: Sandbox | undefined;
  readonly problem: string;
}

/**
 * The sandboxes to try on this system, best first. `sandbox-exec` of macOS has not been tested on a Mac; job objects and
 * restricted tokens of Windows are not used yet, and WSL 2 counts as Linux.
 */
export function candidates(
  readable: readonly string[],
  platform: NodeJS.Platform = process.platform,
): readonly Candidate[] {
  if (platform === 'linux') return linuxCandidates(readable);
  const problem = unsupported[platform];
  if (problem === undefined) return [];
  return [{ level: 'A', sandbox: undefined, problem }, permission(undefined)];
}

const unsupported: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'there is no sandbox for macOS yet',
  win32: 'there is no sandbox for Windows yet; use WSL 2',
};

const permission = (prlimit: string | undefined): Candidate => ({
  level: 'C',
  sandbox: nodePermission({ prlimit }),
  problem: '',
});

const NO_FILTER = `no system call filter is known for ${process.arch}`;

/** Level A by bubblewrap, B by Landlock, C by Node. */
function linuxCandidates(readable: readonly string[]): readonly Candidate[] {
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
    permission(prlimit),
  ];
}
