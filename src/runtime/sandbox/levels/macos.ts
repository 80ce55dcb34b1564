import type { Candidate } from '../find/candidate.ts';
import { nodePermission } from './node-permission.ts';

/** `sandbox-exec` is not used because it has not been tested on a Mac, so macOS has only Node's permission model. */
export const macosCandidates = (): readonly Candidate[] => [
  { level: 'A', sandbox: undefined, problem: 'there is no sandbox for macOS yet' },
  { level: 'C', sandbox: nodePermission({ prlimit: undefined }), problem: '' },
];
