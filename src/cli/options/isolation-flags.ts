import type { CommandDefinition } from '../command.ts';

/** Isolation options of every command that runs capsules. */
export const isolationFlags: CommandDefinition['options'] = [
  {
    flags: '--require-isolation <level>',
    description: 'A, B or C: refuse to start at a lower level (exit code 7)',
  },
  {
    flags: '--dangerously-no-isolation',
    description: 'run everything without a sandbox, with your own permissions',
  },
];

/** Whether the user chose to run without a sandbox. */
export const isIsolationWaived = (options: Readonly<Record<string, unknown>>): boolean =>
  options['dangerouslyNoIsolation'] === true;
