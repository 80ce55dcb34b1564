import type { CommandArguments, CommandIo } from '../command.ts';
import { isIsolationWaived } from '../options/isolation-flags.ts';
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
  const { capstan, terminal, close } = await openAtTerminal(args, io, () => undefined);
  try {
    const resuming = capstan.runs.resume(id, {
      settings: { timeout, requireIsolation, budgetUsd, model },
      isIsolationWaived: isIsolationWaived(args.options),
      ...terminal.listeners,
    });
    const run = await resuming.catch((error: unknown) => {
      terminal.fail(error);
      throw error;
    });
    return await terminal.show(run, { isResumed: true });
  } finally {
    await close();
  }
}
