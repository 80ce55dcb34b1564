import type { Step } from '../../../../../contract/documents/run-documents.ts';

/** The duration of a step so far, in milliseconds. A step that has not started counts as 1. */
function lengthOf({ started_at: from, ended_at: to }: Step, now: number): number {
  if (from === null) return 1;
  return Math.max(1, (to === null ? now : Date.parse(to)) - Date.parse(from));
}

/** The ids of the steps on the critical path, in order. `steps` must list each step after its dependencies. */
export function criticalPath(steps: readonly Step[], now: number): string[] {
  const best = new Map<string, { readonly ms: number; readonly path: readonly string[] }>();
  for (const step of steps) {
    const before = step.depends_on
      .flatMap((id) => best.get(id) ?? [])
      .toSorted((a, b) => b.ms - a.ms)[0];
    best.set(step.id, {
      ms: (before?.ms ?? 0) + lengthOf(step, now),
      path: [...(before?.path ?? []), step.id],
    });
  }
  return [...([...best.values()].toSorted((a, b) => b.ms - a.ms)[0]?.path ?? [])];
}
