import type { Candidate } from './candidate.ts';
import { linuxCandidates } from './linux.ts';
import { macosCandidates } from './macos.ts';
import { windowsCandidates } from './windows.ts';

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
