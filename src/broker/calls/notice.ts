import type { CallContext } from './parts.ts';

/** Shows the person a notice; with `isOnce`, only the first one with this text in a run. */
export function notice({ scope, parts }: CallContext, text: string, isOnce = false): void {
  const { id: run_id, notices } = scope.run;
  if (isOnce && notices.has(text)) return;
  notices.add(text);
  parts.events.emit({ type: 'run.noticed', run_id, text });
}
