import type { Sandbox } from '../sandbox.ts';

/** A sandbox that may work here, or a short reason why it can't. */
export interface Candidate {
  readonly level: Sandbox['level'];
  readonly sandbox: Sandbox | undefined;
  readonly problem: string;
}
