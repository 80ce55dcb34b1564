import type { Capstan } from '../../../app/open-capstan.ts';
import type { CommandIo } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { exitCodeOfSignal, watchSignals } from '../../io/watch-signals.ts';
import { loadInk } from '../terminal/load-ink.ts';
import { openRunScreen } from './open-run-screen.ts';

/**
 * Draws a run that any process executes, from its first event on, and asks its questions here. Ends with the run. Esc and
 * Ctrl-C stop following it; the run goes on. Returns the exit code.
 */
export async function followAtTerminal(
  capstan: Capstan,
  io: CommandIo,
  id: string,
): Promise<number> {
  const { run, document } = await capstan.runs.get(id);
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  const watch = watchSignals(leave);
  await loadInk();
  const surface = openRunScreen(capstan, io, undefined);
  const ended = async () => (await capstan.runs.get(run.id)).document;
  try {
    await surface.begin(
      {
        ...{ id: run.id, sessionId: run.sessionId, workspace: run.workspace },
        ...{ provider: { name: run.provider, why: 'as set' }, isolation: run.isolation },
        ...{ notices: [], logLevel: 'info', finished: Promise.resolve(document) },
        ...{ interrupt: leave, leave: () => document },
      },
      false,
    );
    const events = capstan.runs.follow(run.id, { deltas: true, signal: leaving.signal });
    for await (const one of events) {
      if ('seq' in one) surface.onEvent(one.event);
      else surface.onDelta(one);
    }
    if (!leaving.signal.aborted)
      await surface.end(await ended(), { changes: undefined, exitCode: exitCodes.completed });
  } finally {
    surface.close();
    watch.stop();
  }
  const signal = watch.received();
  return signal ? exitCodeOfSignal[signal] : exitCodes.completed;
}
