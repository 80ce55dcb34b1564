import type { Sandbox } from '../sandbox.ts';

/** A sandbox that may work here, or why it can't: in a few words, as they stand after a colon. */
export interface Candidate {
  readonly level: Sandbox['level'];
  readonly sandbox: Sandbox | undefined;
  readonly problem: string;
}
