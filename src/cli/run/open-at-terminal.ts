import type { Capstan } from '../../app/open-capstan.ts';
import type { CommandArguments, CommandIo } from '../command.ts';
import { endOnSignal } from '../io/watch-signals.ts';
import { type ShowOptions, showOptionsOf } from './show-options.ts';
import { openRunTerminal, presenceOf, type RunTerminal } from './show-run.ts';
import type { RunSurface } from './surfaces/run-surface.ts';

export interface TerminalSession<T> {
  readonly capstan: Capstan;
  readonly terminal: RunTerminal;
  /** What `prepare` returned. */
  readonly prepared: T;
  close(): Promise<void>;
}

/**
 * Opens Capstan and a terminal for one run.
 *
 * @param prepare What takes time before a run can start. A signal ends the command until then, and parks the run later.
 * @throws SignalReceived; AppError `USAGE`.
 */
export async function openAtTerminal<T>(
  { options }: CommandArguments,
  io: CommandIo,
  prepare: () => T | Promise<T>,
): Promise<TerminalSession<T>> {
  const shown = showOptionsOf(options, io);
  const early = endOnSignal();
  try {
    const prepared = await early.orSignal(prepare());
    const { openCapstan } = await import('../../app/open-capstan.ts');
    const here = presenceOf(io, shown);
    const { environment: env, cwd } = io;
    const { presence } = here;
    const capstan = await early.orSignal(openCapstan({ env, cwd, presence }));
    const surface = isDrawn(io, shown) ? await openScreen(capstan, io, shown) : undefined;
    const terminal = openRunTerminal(capstan, io, shown, { ...here, surface });
    const close = async () => {
      terminal.close();
      await capstan.close();
    };
    return { capstan, terminal, prepared, close };
  } finally {
    early.stop();
  }
}

/** Whether a run is drawn, instead of printed line by line. */
const isDrawn = ({ isTerminal }: CommandIo, { format, isQuiet, isPlain }: ShowOptions): boolean =>
  isTerminal && format === 'text' && !isQuiet && !isPlain;

async function openScreen(
  capstan: Capstan,
  io: CommandIo,
  { logLevel }: ShowOptions,
): Promise<RunSurface> {
  const { openRunScreen } = await import('../menu/run-screen/open-run-screen.ts');
  return openRunScreen(capstan, io, logLevel);
}
