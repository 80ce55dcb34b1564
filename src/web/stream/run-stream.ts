import type { Capstan } from '../../app/open-capstan.ts';
import type { EventStream } from './event-stream.ts';

/** Sends the events of a run after a number, and texts while they arrive, until the run ends or the client goes. */
export async function streamRun(
  { runs }: Pick<Capstan, 'runs'>,
  stream: EventStream,
  { id, after }: { readonly id: string; readonly after: number },
): Promise<void> {
  const events = runs.follow(id, { after, live: true, deltas: true, signal: stream.closed });
  for await (const one of events) {
    if ('seq' in one) stream.send(one.event, { id: one.seq });
    else stream.send(one, { event: 'delta' });
    await stream.ready();
  }
  if (stream.closed.aborted) return;
  stream.send({}, { event: 'end' });
  stream.end();
}
