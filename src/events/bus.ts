import type { CapstanEvent, UntimedEvent } from '../contract/event.ts';
import { isoTime } from '../platform/iso-time.ts';

export type Listener = (event: CapstanEvent) => void;

export interface EventBus {
  emit(event: UntimedEvent): void;
  /** @returns A function that ends the subscription. */
  listen(listener: Listener): () => void;
}

export interface BusOptions {
  readonly onListenerError?: (error: unknown) => void;
  /** Removes secrets from an event before any listener gets it. */
  readonly clean: <T>(event: T) => T;
}

/**
 * Passes every event to every listener, in order and synchronously. If a listener throws, `onListenerError` gets the
 * error and the other listeners still get the event.
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
