import type { CommandArguments, CommandIo } from './command.ts';
import { isIsolationWaived } from './isolation-flags.ts';
import { runAtTerminal } from './run-at-terminal.ts';

/**
 * Continues a run and shows it at this terminal. Returns the exit code.
 *
 * @param id Default: the only parked run of the workspace.
 */
export function resumeAtTerminal(
  id: string | undefined,
  args: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const { timeout, requireIsolation, budgetUsd, model } = args.options;
  return runAtTerminal(args, io, {
    start: ({ capstan, listeners }) =>
      capstan.runs.resume(id, {
        settings: { timeout, requireIsolation, budgetUsd, model },
        isIsolationWaived: isIsolationWaived(args.options),
        ...listeners,
      }),
  });
}
