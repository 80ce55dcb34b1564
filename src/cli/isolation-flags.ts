import type { CommandDefinition } from './command.ts';

/** What every command that carries out a run may be told of isolation. */
export const isolationFlags: CommandDefinition['options'] = [
  {
    flags: '--require-isolation <level>',
    description: 'A, B or C: refuse to start at a lower level (exit code 7)',
  },
  {
    flags: '--dangerously-no-isolation',
    description: 'run everything without a sandbox, with your rights',
  },
];

/** Whether the person does without a sandbox. */
export const isIsolationWaived = (options: Readonly<Record<string, unknown>>): boolean =>
  options['dangerouslyNoIsolation'] === true;
