import type { Candidate } from '../find/candidate.ts';
import { nodePermission } from './node-permission.ts';

/** WSL 2 counts as Linux. Job objects and restricted tokens of Windows are not used yet. */
export const windowsCandidates = (): readonly Candidate[] => [
  { level: 'A', sandbox: undefined, problem: 'there is no sandbox for Windows yet; use WSL 2' },
  { level: 'C', sandbox: nodePermission({ prlimit: undefined }), problem: '' },
];
