import type { AppError } from '../../contract/errors.ts';
import type { Sandbox } from '../../runtime/sandbox/sandbox.ts';
import { failure, type ToolCall } from '../define/call.ts';

interface Started {
  readonly sandbox: Sandbox;
  readonly call: ToolCall;
  /** What is known of a program that was not found. */
  readonly hint?: string | undefined;
}

/** Of the shell that starts a program whose private folders are watched. */
const shellProblem = /^sh: (?:line )?\d+: exec: (.*): not found/;

/** What went wrong before the program itself began; undefined where it ran. */
export function sandboxFailure(
  exitCode: number | null,
  stderr: string,
  { sandbox, call, hint }: Started,
): AppError | undefined {
  if (exitCode === 0) return undefined;
  const problem = sandbox.findProblem(stderr) ?? shellProblem.exec(stderr)?.[0];
  if (problem === undefined) return undefined;
  const missing =
    shellProblem.exec(problem) ??
    /^(?:failed to execute|execvp) (.*): No such file or directory$/.exec(problem);
  if (missing === null) return failure(call, `it can't be isolated: ${problem}`);
  const cause = Object.assign(new Error(problem), { code: 'ENOENT' });
  const found = `there is no program "${missing[1]}" in the folders of PATH`;
  return failure(call, hint === undefined ? found : `${found}. ${hint}`, cause);
}
