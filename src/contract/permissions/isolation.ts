/** How strongly a child process is isolated, strongest first. */
export const isolationLevels = ['A', 'B', 'C', 'none'] as const;
export type IsolationLevel = (typeof isolationLevels)[number];

/** How the reason begins if a test gave no result: the next start repeats it. */
export const INTERRUPTED = 'its test was interrupted';

/** Why level A is not in force, in a few words, from the reason for a lower level. */
export function shortReason(reason: string): string {
  const [, missing] = /^A: (\S+) is not installed/.exec(reason) ?? [];
  if (missing !== undefined) return `no ${missing}`;
  return reason.startsWith(`A: ${INTERRUPTED}`)
    ? 'the test of level A was interrupted'
    : 'level A does not work here';
}
