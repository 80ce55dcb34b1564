import { Readable } from 'node:stream';
import type { main } from '../../src/cli/main.ts';

/** What a command printed, and its exit code. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  /** Of the sources, or of the bundle. */
  readonly main: typeof main;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Runs a command line inside this process, without a terminal and with an empty stdin. */
export async function commandLine(
  words: readonly string[],
  { main, cwd, environment }: Surroundings,
): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const exitCode = await main(words, (hasColor) => ({
    stdout(text) {
      printed.stdout += text;
    },
    stderr(text) {
      printed.stderr += text;
    },
    isTerminal: false,
    environment: hasColor ? environment : { ...environment, NO_COLOR: '1' },
    cwd,
    input: Readable.from([]),
  }));
  return { exitCode, ...printed };
}
