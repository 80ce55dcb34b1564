import { useEffect, useRef, useState } from 'react';
import { followRun } from '../../lib/server/live.ts';

/** An event of a run with its sequence number. */
export interface RunEvent {
  readonly seq: number;
  readonly event: { readonly type: string; readonly at: string } & Record<string, unknown>;
}

/** A piece of a streamed answer, or of the output of a running command. */
interface Delta {
  readonly type: 'model.delta' | 'tool.delta';
  readonly intent_id: string;
  readonly subtask_id?: string;
  readonly from: number;
  readonly text: string;
}

/** The text that a model is writing, or the output of a running command. */
export interface LiveText {
  readonly text: string;
  readonly isOutput: boolean;
}

/** Minimum time between two redraws, in milliseconds. */
const DRAW_MS = 100;
const MAX_EVENTS = 5_000;

interface Wanted {
  readonly isWanted: boolean;
  readonly isEnded: boolean;
}

/** Reads the newest `MAX_EVENTS` events of a run, and the texts that are being streamed, by subtask. */
export function useRunEvents(runId: string, { isWanted, isEnded }: Wanted) {
  const [live, setLive] = useState({
    events: [] as readonly RunEvent[],
    texts: new Map<string, LiveText>(),
  });
  const arrived = useRef({ runId, events: [] as RunEvent[], texts: new Map<string, LiveText>() });
  /** How often an ended run was resumed: its events are followed up to its end. */
  const [resumed, setResumed] = useState(0);
  useEffect(() => (isEnded ? () => setResumed((times) => times + 1) : undefined), [isEnded]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows again after `resumed`
  useEffect(() => {
    if (!isWanted) return;
    if (arrived.current.runId !== runId) {
      arrived.current = { runId, events: [], texts: new Map() };
      setLive(arrived.current);
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        const { events, texts } = arrived.current;
        setLive({ events: [...events], texts: new Map(texts) });
      }, DRAW_MS);
    };
    const leave = followRun({
      id: runId,
      onMessage: ({ event, data, id }) => {
        if (event === 'delta') addDelta(arrived.current.texts, JSON.parse(data) as Delta);
        else if (id !== undefined) addEvent(arrived.current, Number(id), JSON.parse(data));
        draw();
      },
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [runId, isWanted, resumed]);
  return live;
}

function addDelta(texts: Map<string, LiveText>, delta: Delta): void {
  const { type, intent_id, subtask_id, from, text } = delta;
  const key = subtask_id ?? intent_id;
  const before = texts.get(key)?.text ?? '';
  texts.set(key, { text: before.slice(0, from) + text, isOutput: type === 'tool.delta' });
}

function addEvent(
  { events, texts }: { events: RunEvent[]; texts: Map<string, LiveText> },
  seq: number,
  event: RunEvent['event'],
): void {
  if (seq <= (events.at(-1)?.seq ?? 0)) return;
  events.push({ seq, event });
  if (events.length > MAX_EVENTS) events.shift();
  if (event.type === 'model.answered' || event.type === 'tool.answered')
    texts.delete(String(event['subtask_id']));
}
