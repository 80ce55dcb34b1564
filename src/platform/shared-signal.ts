import { setMaxListeners } from 'node:events';

/** A controller whose signal any number of calls may listen to at the same time. */
export function sharedController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** A signal that aborts with the first of others, and that any number of calls may listen to at the same time. */
export function sharedSignal(signals: AbortSignal[]): AbortSignal {
  const signal = AbortSignal.any(signals);
  setMaxListeners(0, signal);
  return signal;
}
