import { MAX_ID_LENGTH, type Step } from '../plan.ts';

/**
 * Gives a step a new id if an earlier step of the run has its id. A dependency on such an id means the new step, and the
 * earlier one too if it has a result. A dependency on an earlier step without a result is dropped: its findings are in
 * the description of the plan.
 *
 * @param earlier Earlier steps by id: whether they completed.
 */
export function withFreeIds(
  steps: readonly Step[],
  earlier: ReadonlyMap<string, boolean>,
): readonly Step[] {
  const taken = new Set([...earlier.keys(), ...steps.map(({ id }) => id)]);
  const ids = new Map<string, string>();
  for (const { id } of steps) {
    if (!ids.has(id)) ids.set(id, earlier.has(id) ? freeId(id, taken) : id);
  }
  const meaningOf = (need: string, of: Step): readonly string[] => {
    const own = need === of.id && earlier.has(need) ? undefined : ids.get(need);
    const found = [...(earlier.get(need) ? [need] : []), ...(own === undefined ? [] : [own])];
    return found.length > 0 || earlier.has(need) ? found : [need];
  };
  return steps.map((step) => {
    const renamed = (needs: readonly string[]) => [
      ...new Set(needs.flatMap((need) => meaningOf(need, step))),
    ];
    return {
      ...step,
      id: ids.get(step.id) ?? step.id,
      depends_on: renamed(step.depends_on),
      ...(step.order_only && { order_only: renamed(step.order_only) }),
    };
  });
}

/** `id`, else `id_2`, `id_3`, …: the first that is not taken. Takes it. */
export function freeId(id: string, taken: Set<string>): string {
  let free = id;
  for (let count = 2; taken.has(free); count += 1) {
    const suffix = `_${count}`;
    free = id.slice(0, MAX_ID_LENGTH - suffix.length) + suffix;
  }
  taken.add(free);
  return free;
}
