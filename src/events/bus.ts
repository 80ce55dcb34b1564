import type { CapstanEvent, TextDelta, UntimedEvent } from '../contract/event.ts';
import { isoTime } from '../platform/text/iso-time.ts';

type Listener<Passed> = (passed: Passed) => void;

export type EventBus = ReturnType<typeof createEventBus>;

interface BusOptions {
  /** Redacts secrets in an event before any listener gets it. */
  readonly clean: <T>(event: T) => T;
}

/**
 * Passes every event to every listener, in order and synchronously. What a listener throws is ignored, so that neither the
 * run nor the other listeners miss the event.
 */
export function createEventBus(now: () => Date, { clean }: BusOptions) {
  const listeners = new Set<Listener<CapstanEvent>>();
  const deltaListeners = new Set<Listener<TextDelta>>();
  const passTo = <T>(all: ReadonlySet<Listener<T>>, one: T) => {
    for (const listener of all) {
      try {
        listener(one);
      } catch {}
    }
  };
  return {
    emit(event: UntimedEvent): void {
      if (listeners.size === 0) return;
      const timed = Object.assign({}, clean(event), { at: isoTime(now()) }) as CapstanEvent;
      passTo(listeners, timed);
    },
    /** @returns A function that ends the subscription. */
    listen(listener: Listener<CapstanEvent>): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Forwards a piece of an answer, which must contain no secret. It is not an event. */
    emitDelta: (delta: Omit<TextDelta, 'at'>): void =>
      passTo(deltaListeners, Object.assign({}, delta, { at: isoTime(now()) })),
    /** @returns A function that ends the subscription. */
    listenToDeltas(listener: Listener<TextDelta>): () => void {
      deltaListeners.add(listener);
      return () => void deltaListeners.delete(listener);
    },
  };
}
