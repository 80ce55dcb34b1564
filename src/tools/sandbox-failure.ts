import type { AppError } from '../contract/errors.ts';
import type { Sandbox } from '../runtime/sandbox/sandbox.ts';
import { failure, type Reach } from './reach.ts';

interface Started {
  readonly sandbox: Sandbox;
  readonly reach: Reach;
}

/** What went wrong before the program itself began; undefined where it ran. */
export function sandboxFailure(
  exitCode: number | null,
  stderr: string,
  { sandbox, reach }: Started,
): AppError | undefined {
  if (exitCode === 0) return undefined;
  const problem = sandbox.findProblem(stderr);
  if (problem === undefined) return undefined;
  const missing = /^(?:failed to execute|execvp) (.*): No such file or directory$/.exec(problem);
  if (missing === null) return failure(reach, `it can't be isolated: ${problem}`);
  const cause = Object.assign(new Error(problem), { code: 'ENOENT' });
  return failure(reach, `there is no program "${missing[1]}" in the folders of PATH`, cause);
}
