import type { IsolationLevel } from '../../contract/isolation.ts';

/** What the sandbox in force is worth, for a person. */
export const sandboxSentence: Readonly<Record<IsolationLevel, string>> = {
  A: 'Sandbox on: level A (bubblewrap, tested).',
  B: 'Sandbox limited: level B (no bubblewrap). You are asked before every program.',
  C: 'Sandbox too weak for programs: level C. Fix: capstan doctor --fix',
  none: 'No sandbox: programs run with your rights. Fix: capstan doctor --fix',
};
