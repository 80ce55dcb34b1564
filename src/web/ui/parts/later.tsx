import { type ComponentType, lazy } from 'react';
import { Failure } from './states.tsx';

const SOON_MS = 1_000;

/**
 * A component whose code is loaded when it is shown, or soon after the dashboard opened, so that it can also be shown once the
 * server is gone.
 */
export function later<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  setTimeout(() => void load().catch(() => {}), SOON_MS);
  return lazy(() => load().catch(() => ({ default: NotLoaded as ComponentType<Props> })));
}

const NotLoaded = () => (
  <section className="card">
    <Failure
      error="This part of the dashboard could not be loaded from the server."
      retry={() => location.reload()}
      retryWord="Reload"
    />
  </section>
);
