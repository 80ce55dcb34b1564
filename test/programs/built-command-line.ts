import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { main } from '../../src/cli/main.ts';
import { commandLine, type Ended, type Surroundings } from './command-line.ts';

/**
 * Runs a command line of the built program inside this process: everything but the launcher and signals.
 */
export function builtCommandLine(
  words: readonly string[],
  surroundings: Omit<Surroundings, 'main'>,
): Promise<Ended> {
  const built = createRequire(import.meta.url)(join(import.meta.dirname, '../../dist/main.cjs'));
  return commandLine(words, { main: (built as { main: typeof main }).main, ...surroundings });
}
