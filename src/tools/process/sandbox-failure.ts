import type { AppError } from '../../contract/errors.ts';
import { failure, type ToolCall } from '../define/call.ts';

/** The message of the shell that starts a program whose private folders are watched. */
const shellProblem = /^sh: (?:line )?\d+: exec: (.*): not found/;

/**
 * The error if the sandbox could not start the program; undefined if it did.
 *
 * @param hint What is known about a program that was not found.
 */
export function sandboxFailure(
  exitCode: number | null,
  stderr: string,
  hint: string | undefined,
  call: ToolCall,
): AppError | undefined {
  if (exitCode === 0) return undefined;
  const problem = call.context.sandbox.findProblem(stderr) ?? shellProblem.exec(stderr)?.[0];
  if (problem === undefined) return undefined;
  const missing =
    shellProblem.exec(problem) ??
    /^(?:failed to execute|execvp) (.*): No such file or directory$/.exec(problem);
  if (missing === null) return failure(call, `it can't be isolated: ${problem}`);
  const cause = Object.assign(new Error(problem), { code: 'ENOENT' });
  const found = `there is no program "${missing[1]}" in the folders of PATH`;
  return failure(call, hint === undefined ? found : `${found}. ${hint}`, cause);
}
