import { linuxCandidates } from './linux.ts';
import { macosCandidates } from './macos.ts';
import type { Sandbox } from './sandbox.ts';
import { windowsCandidates } from './windows.ts';

/** A sandbox that may work here, or why it can't: in a few words, as they stand after a colon. */
export interface Candidate {
  readonly level: Sandbox['level'];
  readonly sandbox: Sandbox | undefined;
  readonly problem: string;
}

/** What may be tried on this system, best first. */
export function candidates(readable: readonly string[]): readonly Candidate[] {
  switch (process.platform) {
    case 'linux':
      return linuxCandidates(readable);
    case 'darwin':
      return macosCandidates();
    case 'win32':
      return windowsCandidates();
    default:
      return [];
  }
}
