import type { Candidate } from '../find/candidate.ts';
import { nodePermission } from './node-permission.ts';

/** Under WSL 2, Linux is what runs. Windows itself has job objects and restricted tokens, which nothing here uses yet. */
export const windowsCandidates = (): readonly Candidate[] => [
  { level: 'A', sandbox: undefined, problem: 'there is no sandbox for Windows yet; use WSL 2' },
  { level: 'C', sandbox: nodePermission({ prlimit: undefined }), problem: '' },
];
