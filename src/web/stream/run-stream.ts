import type { Capstan } from '../../app/open-capstan.ts';
import { type EventStream, eventText } from './event-stream.ts';

/** Sends the events of a run after a number, and texts while they arrive, until the run ends or the client goes. */
export async function streamRun(
  { runs }: Pick<Capstan, 'runs'>,
  stream: EventStream,
  { id, after }: { readonly id: string; readonly after: number },
): Promise<void> {
  const events = runs.follow(id, { after, live: true, deltas: true, signal: stream.closed });
  for await (const one of events) {
    stream.send(
      'seq' in one ? eventText(one.event, { id: one.seq }) : eventText(one, { event: 'delta' }),
    );
    await stream.ready();
  }
  if (stream.closed.aborted) return;
  stream.send(eventText({}, { event: 'end' }));
  stream.end();
}
