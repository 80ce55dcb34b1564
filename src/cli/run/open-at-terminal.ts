import type { Capstan } from '../../app/open-capstan.ts';
import type { CommandArguments, CommandIo } from '../command.ts';
import { endOnSignal } from '../io/watch-signals.ts';
import {
  openRunTerminal,
  presenceAt,
  type RunTerminal,
  type ShowOptions,
  showOptionsOf,
} from './show-run.ts';

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
 * @throws SignalReceived
 */
export async function openAtTerminal<T>(
  { options }: CommandArguments,
  io: CommandIo,
  prepare: () => T | Promise<T>,
): Promise<TerminalSession<T>> {
  const early = endOnSignal();
  try {
    const prepared = await early.orSignal(prepare());
    const { openCapstan } = await import('../../app/open-capstan.ts');
    const shown = showOptionsOf(options);
    const { environment: env, cwd } = io;
    const capstan = await early.orSignal(
      openCapstan({ env, cwd, presence: presenceAt(io, shown) }),
    );
    const terminal = isDrawn(io, shown)
      ? await openScreen(capstan, io)
      : openRunTerminal(capstan, io, shown);
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
const isDrawn = (
  { isTerminal, environment }: CommandIo,
  { isJson, isQuiet }: ShowOptions,
): boolean =>
  isTerminal &&
  !isJson &&
  !isQuiet &&
  environment['TERM'] !== 'dumb' &&
  environment['CAPSTAN_PLAIN'] !== '1';

async function openScreen(capstan: Capstan, io: CommandIo): Promise<RunTerminal> {
  const { openRunScreen } = await import('../menu/run-screen/open-run-screen.ts');
  return openRunScreen(capstan, io);
}
