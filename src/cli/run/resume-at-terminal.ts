import type { CommandArguments, CommandIo } from '../command.ts';
import { openAtTerminal } from './open-at-terminal.ts';

/**
 * Continues a run and shows it at this terminal. Returns the exit code.
 *
 * @param id Default: the only parked run of the workspace.
 */
export async function resumeAtTerminal(
  id: string | undefined,
  args: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const { timeout, requireIsolation, budgetUsd, model } = args.options;
  const opened = await openAtTerminal(args, io, () => undefined);
  const resuming = opened.capstan.runs.resume(id, {
    settings: { timeout, requireIsolation, budgetUsd, model },
    isIsolationWaived: args.options['dangerouslyNoIsolation'] === true,
    ...opened.terminal.listeners,
  });
  return opened.show(resuming, { isResumed: true });
}
