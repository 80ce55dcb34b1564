import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { endedBy, withStopSignals } from './run-stop.ts';

it('cancels and kills by the signals of a caller, also by one that is already aborted', async () => {
  const cancel = new AbortController();
  const kill = new AbortController();
  await withStopSignals({ signal: cancel.signal, killSignal: kill.signal }, async (stop) => {
    expect(stop.signal.aborted).toBe(false);
    cancel.abort();
    expect([endedBy(stop.signal), stop.killSignal.aborted]).toEqual(['cancelled', false]);
    kill.abort();
    expect(stop.killSignal.aborted).toBe(true);
  });
  await withStopSignals({ signal: cancel.signal }, async (stop) => {
    expect(endedBy(stop.signal)).toBe('cancelled');
  });
});

it('leaves no listener at the signals of a caller', async () => {
  const { signal } = new AbortController();
  const listeners = () => getEventListeners(signal, 'abort').length;
  const counts = await withStopSignals({ signal, killSignal: signal }, async () => listeners());
  expect([counts, listeners()]).toEqual([2, 0]);
  const failing = withStopSignals({ signal }, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(listeners()).toBe(0);
});
