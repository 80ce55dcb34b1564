import type { CommandArguments, CommandIo } from './command.ts';
import { isIsolationWaived } from './isolation-flags.ts';
import { openRunTerminal, presenceAt, showOptionsOf } from './show-run.ts';

/**
 * Continues a run and shows it at this terminal. Returns the exit code.
 *
 * @param id Default: the only parked run of the workspace.
 */
export async function resumeAtTerminal(
  id: string | undefined,
  { options }: CommandArguments,
  io: CommandIo,
): Promise<number> {
  const { openCapstan } = await import('../app/open-capstan.ts');
  const shown = showOptionsOf(options);
  const { environment: env, cwd } = io;
  const capstan = await openCapstan({ env, cwd, presence: presenceAt(io, shown) });
  const terminal = openRunTerminal(capstan, io, shown);
  try {
    const { timeout, requireIsolation, budgetUsd, model } = options;
    const run = await capstan.runs.resume(id, {
      settings: { timeout, requireIsolation, budgetUsd, model },
      isIsolationWaived: isIsolationWaived(options),
      ...terminal.listeners,
    });
    return await terminal.show(run);
  } finally {
    terminal.close();
    await capstan.close();
  }
}
