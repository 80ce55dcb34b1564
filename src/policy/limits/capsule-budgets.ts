/** The spending limits of one capsule, in micro-dollars. A missing one is no limit. */
export interface CapsuleBudget {
  readonly runMicroUsd?: number | undefined;
  readonly dayMicroUsd?: number | undefined;
}

/** By the capsule's id; `*` applies to every capsule that is not named. */
export type CapsuleBudgets = ReadonlyMap<string, CapsuleBudget>;

/** The limits of one capsule: its own ones, else those of `*`. */
export function budgetOfCapsule(budgets: CapsuleBudgets, capsuleId: string): CapsuleBudget {
  const [own, any] = [budgets.get(capsuleId), budgets.get('*')];
  return {
    runMicroUsd: own?.runMicroUsd ?? any?.runMicroUsd,
    dayMicroUsd: own?.dayMicroUsd ?? any?.dayMicroUsd,
  };
}

/** The lower of the limits of two files: the second one can't raise a limit of the first. */
export function tighten(first: CapsuleBudgets, second: CapsuleBudgets): CapsuleBudgets {
  const ids = new Set([...first.keys(), ...second.keys()]);
  return new Map(
    [...ids].map((id) => {
      const [one, other] = [budgetOfCapsule(first, id), budgetOfCapsule(second, id)];
      const runMicroUsd = least(one.runMicroUsd, other.runMicroUsd);
      const dayMicroUsd = least(one.dayMicroUsd, other.dayMicroUsd);
      return [id, { runMicroUsd, dayMicroUsd }];
    }),
  );
}

const least = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
