import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ProgramName } from './programs.ts';

/** Where the global set-up bundles the programs of `programs.ts`, until all tests have ended. */
export function programsFolder(): string {
  const folder = process.env['CAPSTAN_TESTS_PROGRAMS'];
  if (folder === undefined) throw new Error('The global set-up names no folder for programs.');
  return folder;
}

/** Default: the folder and the environment of the tests. */
export interface Place {
  readonly cwd?: string;
  /** With the `CAPSTAN_HOME` whose cache it shares. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts one of the programs of `programs.ts`. Its errors are among those of the tests. */
export function startProgram(
  name: ProgramName,
  args: readonly string[],
  { cwd, env = { PATH: process.env['PATH'], CAPSTAN_HOME: programsFolder() } }: Place = {},
): ChildProcessByStdio<Writable, Readable, null> {
  const argv = [join(programsFolder(), 'start.cjs'), name, ...args];
  return spawn(process.execPath, argv, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
}
