import type { Capstan } from '../../app/open-capstan.ts';
import type { StartedRun } from '../../app/runs/start/started-run.ts';
import type { CommandArguments, CommandIo } from '../command.ts';
import { endOnSignal } from '../io/watch-signals.ts';
import { type ShowOptions, showOptionsOf } from './show-options.ts';
import { openRunTerminal, presenceOf } from './show-run.ts';

/** Opens Capstan and a terminal for one run. A signal ends the command until `prepare` is done. @throws SignalReceived; AppError `USAGE`. */
export async function openAtTerminal<T>(
  { options }: CommandArguments,
  io: CommandIo,
  prepare: () => T | Promise<T>,
) {
  const shown = showOptionsOf(options, io);
  const early = endOnSignal();
  try {
    const prepared = await early.orSignal(prepare());
    const { openCapstan } = await import('../../app/open-capstan.ts');
    const here = presenceOf(io, shown);
    const { environment: env, cwd } = io;
    const opening = openCapstan({ env, cwd, presence: here.presence });
    const capstan = await early.orSignal(opening);
    const { format, isQuiet, isPlain } = shown;
    const isDrawn = io.isTerminal && format === 'text' && !isQuiet && !isPlain;
    const surface = isDrawn ? await openScreen(capstan, io, shown) : undefined;
    const terminal = openRunTerminal(capstan, io, shown, { ...here, surface });
    /** Shows the run that is being started, and closes everything. Returns the exit code. */
    const show = async (starting: Promise<StartedRun>, isResumed = false): Promise<number> => {
      try {
        return await terminal.show(await starting.catch(terminal.fail), isResumed);
      } finally {
        terminal.close();
        await capstan.close();
      }
    };
    return { capstan, terminal, prepared, show };
  } finally {
    early.stop();
  }
}

async function openScreen(capstan: Capstan, io: CommandIo, { logLevel }: ShowOptions) {
  const { loadInk } = await import('../menu/terminal/load-ink.ts');
  const [{ openRunScreen }] = await Promise.all([
    import('../menu/run-screen/open-run-screen.ts'),
    loadInk(),
  ]);
  return openRunScreen(capstan, io, logLevel);
}

/** Continues a run and shows it at this terminal. Returns the exit code. @param id Default: the only parked run here. */
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
  return opened.show(resuming, true);
}
