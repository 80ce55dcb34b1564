import type { CapstanEvent, TextDelta, UntimedEvent } from '../contract/event.ts';
import { isoTime } from '../platform/text/iso-time.ts';

export type Listener = (event: CapstanEvent) => void;

export type DeltaListener = (delta: TextDelta) => void;

export type EventBus = ReturnType<typeof createEventBus>;

export interface BusOptions {
  readonly onListenerError?: (error: unknown) => void;
  /** Redacts secrets in an event before any listener gets it. */
  readonly clean: <T>(event: T) => T;
}

/**
 * Passes every event to every listener, in order and synchronously. If a listener throws, `onListenerError` gets the
 * error and the other listeners still get the event.
 */
export function createEventBus(now: () => Date, { onListenerError = () => {}, clean }: BusOptions) {
  const listeners = new Set<Listener>();
  const deltaListeners = new Set<DeltaListener>();
  const passTo = <T>(all: ReadonlySet<(one: T) => void>, one: T) => {
    for (const listener of all) {
      try {
        listener(one);
      } catch (error) {
        onListenerError(error);
      }
    }
  };
  return {
    emit(event: UntimedEvent): void {
      if (listeners.size === 0) return;
      const timed = Object.assign({}, clean(event), { at: isoTime(now()) }) as CapstanEvent;
      passTo(listeners, timed);
    },
    /** @returns A function that ends the subscription. */
    listen(listener: Listener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Forwards a piece of an answer, which must contain no secret. It is not an event. */
    emitDelta: (delta: Omit<TextDelta, 'at'>): void =>
      passTo(deltaListeners, Object.assign({}, delta, { at: isoTime(now()) })),
    /** @returns A function that ends the subscription. */
    listenToDeltas(listener: DeltaListener): () => void {
      deltaListeners.add(listener);
      return () => void deltaListeners.delete(listener);
    },
  };
}
