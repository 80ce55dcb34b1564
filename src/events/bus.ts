import type { CapstanEvent, UntimedEvent } from '../contract/event.ts';
import { isoTime } from '../platform/iso-time.ts';

export type Listener = (event: CapstanEvent) => void;

export interface EventBus {
  emit(event: UntimedEvent): void;
  /** Returns the function that ends the subscription. */
  listen(listener: Listener): () => void;
}

export interface BusOptions {
  readonly onListenerError?: (error: unknown) => void;
  /** Removes secrets from an event before any listener gets it. */
  readonly clean: <T>(event: T) => T;
}

/**
 * Tells every listener of every event, in order, at once. A listener must not throw: what it throws is handed to
 * `onListenerError` and the others are told all the same.
 */
export function createEventBus(
  now: () => Date,
  { onListenerError = () => {}, clean }: BusOptions,
): EventBus {
  const listeners = new Set<Listener>();
  return {
    emit(event) {
      if (listeners.size === 0) return;
      const timed = { ...clean(event), at: isoTime(now()) } as CapstanEvent;
      for (const listener of listeners) {
        try {
          listener(timed);
        } catch (error) {
          onListenerError(error);
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
