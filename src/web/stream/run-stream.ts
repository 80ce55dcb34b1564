import type { Capstan } from '../../app/open-capstan.ts';
import type { ModelDelta, NumberedEvent } from '../../contract/event.ts';
import { type EventStream, eventText } from './event-stream.ts';

/** Sends the events of a run after a number, and texts while they arrive, until the run ends or the client goes. */
export async function streamRun(
  { runs }: Pick<Capstan, 'runs'>,
  stream: EventStream,
  { id, after }: { readonly id: string; readonly after: number },
): Promise<void> {
  const events = runs.follow(id, { after, live: true, deltas: true, signal: stream.closed });
  for await (const one of events) {
    stream.send(textOf(one));
    await stream.ready();
  }
  if (stream.closed.aborted) return;
  stream.send(eventText({}, { event: 'end' }));
  stream.end();
}

/** The text of each event that is still in use: clients that follow the same run get the same objects. */
const texts = new WeakMap<NumberedEvent | ModelDelta, string>();

function textOf(one: NumberedEvent | ModelDelta): string {
  const text =
    texts.get(one) ??
    ('seq' in one ? eventText(one.event, { id: one.seq }) : eventText(one, { event: 'delta' }));
  texts.set(one, text);
  return text;
}
