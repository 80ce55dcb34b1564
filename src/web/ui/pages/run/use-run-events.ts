import { useEffect, useRef, useState } from 'react';
import { openStream } from '../../lib/server/open-stream.ts';

/** An event of a run with its sequence number. */
export interface RunEvent {
  readonly seq: number;
  readonly event: { readonly type: string; readonly at: string } & Record<string, unknown>;
}

/** A piece of a streamed answer. */
interface Delta {
  readonly intent_id: string;
  readonly subtask_id?: string;
  readonly from: number;
  readonly text: string;
}

/** Minimum time between two redraws, in milliseconds. */
const DRAW_MS = 100;
const MAX_EVENTS = 5_000;

/** Reads the newest `MAX_EVENTS` events of a run, and the texts that are being streamed, by subtask. */
export function useRunEvents(runId: string, isWanted: boolean) {
  const [live, setLive] = useState({
    events: [] as readonly RunEvent[],
    texts: new Map<string, string>(),
  });
  const arrived = useRef({ events: [] as RunEvent[], texts: new Map<string, string>() });
  useEffect(() => {
    if (!isWanted) return;
    arrived.current = { events: [], texts: new Map() };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        const { events, texts } = arrived.current;
        setLive({ events: [...events], texts: new Map(texts) });
      }, DRAW_MS);
    };
    const { close } = openStream({
      path: `/runs/${runId}/events`,
      onMessage: ({ event, data, id }) => {
        if (event === 'delta') addDelta(arrived.current.texts, JSON.parse(data) as Delta);
        else if (id !== undefined) addEvent(arrived.current, Number(id), JSON.parse(data));
        draw();
      },
    });
    return () => {
      close();
      clearTimeout(timer);
    };
  }, [runId, isWanted]);
  return live;
}

function addDelta(texts: Map<string, string>, { intent_id, subtask_id, from, text }: Delta): void {
  const key = subtask_id ?? intent_id;
  texts.set(key, (texts.get(key) ?? '').slice(0, from) + text);
}

function addEvent(
  { events, texts }: { events: RunEvent[]; texts: Map<string, string> },
  seq: number,
  event: RunEvent['event'],
): void {
  if (seq <= (events.at(-1)?.seq ?? 0)) return;
  events.push({ seq, event });
  if (events.length > MAX_EVENTS) events.shift();
  if (event.type === 'model.answered') texts.delete(String(event['subtask_id']));
}
