import type { Capstan } from '../app/open-capstan.ts';
import type { StartedRun } from '../app/runs/started-run.ts';
import type { CommandArguments, CommandIo } from './command.ts';
import { openRunTerminal, presenceAt, type RunTerminal, showOptionsOf } from './show-run.ts';
import { endOnSignal } from './watch-signals.ts';

export interface StartContext extends Pick<RunTerminal, 'listeners'> {
  readonly capstan: Capstan;
}

/**
 * Opens Capstan, starts or resumes a run with `start`, and shows it at this terminal. Returns the exit code.
 *
 * @param prepare What takes time before a run can start. A signal ends the command until then, and parks the run later.
 * @throws SignalReceived
 */
export async function runAtTerminal<T>(
  { options }: CommandArguments,
  io: CommandIo,
  {
    prepare,
    start,
  }: {
    readonly prepare?: () => Promise<T>;
    readonly start: (context: StartContext, prepared: T | undefined) => Promise<StartedRun>;
  },
): Promise<number> {
  const early = endOnSignal();
  try {
    const prepared = await early.orSignal(prepare?.());
    const { openCapstan } = await import('../app/open-capstan.ts');
    const shown = showOptionsOf(options);
    const { environment: env, cwd } = io;
    const capstan = await early.orSignal(
      openCapstan({ env, cwd, presence: presenceAt(io, shown) }),
    );
    const terminal = openRunTerminal(capstan, io, shown);
    early.stop();
    try {
      const run = await start({ capstan, listeners: terminal.listeners }, prepared);
      return await terminal.show(run);
    } finally {
      terminal.close();
      await capstan.close();
    }
  } finally {
    early.stop();
  }
}
