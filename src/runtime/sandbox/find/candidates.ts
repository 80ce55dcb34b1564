import { linuxCandidates } from '../levels/linux.ts';
import { macosCandidates } from '../levels/macos.ts';
import { windowsCandidates } from '../levels/windows.ts';
import type { Candidate } from './candidate.ts';

/** The sandboxes to try on this system, best first. */
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
