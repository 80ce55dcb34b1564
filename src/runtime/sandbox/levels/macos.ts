import type { Candidate } from '../find/candidate.ts';
import { nodePermission } from './node-permission.ts';

/** `sandbox-exec` is not used until it was tried on a Mac: what is claimed is what Node's permission model gives. */
export const macosCandidates = (): readonly Candidate[] => [
  { level: 'A', sandbox: undefined, problem: 'there is no sandbox for macOS yet' },
  { level: 'C', sandbox: nodePermission({ prlimit: undefined }), problem: '' },
];
