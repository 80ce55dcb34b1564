import type { CommandDefinition } from '../command.ts';
import { standard } from './standard-options.ts';

/** Isolation options of every command that runs capsules. */
export const isolationFlags: CommandDefinition['options'] = [
  standard.requireIsolation,
  standard.noIsolation,
];

/** Whether the user chose to run without a sandbox. */
export const isIsolationWaived = (options: Readonly<Record<string, unknown>>): boolean =>
  options['dangerouslyNoIsolation'] === true;
