import type { Kind } from './kinds.ts';

/** One setting: its names, its form, and who may set it. */
export interface Setting<T, F extends string | undefined = string | undefined> {
  /** Its field in the settings of a run: `logLevel`, `budget.runTokens`. Undefined: none. */
  readonly field: F;
  /** One sentence for the documentation. */
  readonly summary: string;
  readonly kind: Kind<NonNullable<T>>;
  /** The default as a person would write it. Undefined: none. */
  readonly fallback: string | undefined;
  /** The value if it is not set. */
  readonly initial: T;
  /** Its place in `config.yaml` and `capstan.yaml`. Undefined: not allowed there. */
  readonly yaml: string | undefined;
  /** Other names in the environment; the first one that is set counts. */
  readonly aliases: readonly string[];
  /** Its name among the options of a command and the overrides of a call: `budgetUsd`. */
  readonly option: string | undefined;
  readonly project: ProjectRule<NonNullable<T>>;
  /** Whether it is always shown masked. */
  readonly isSecret: boolean;
}

/** What a trusted project's `capstan.yaml` may do with a setting. */
export type ProjectRule<T> =
  | { readonly may: 'never' }
  | { readonly may: 'any' }
  | {
      readonly may: 'stricter';
      /** Whether `wanted` allows less than `current`. Undefined `current` means no limit. */
      isStricter(wanted: T, current: T | undefined): boolean;
      readonly sense: string;
    };

/** What an entry of the table states. By default it has no other names, and a project may not set it. */
type Facts<T, F extends string | undefined> = Pick<Setting<T, F>, 'summary' | 'kind'> &
  Partial<Pick<Setting<T, F>, 'field' | 'yaml' | 'aliases' | 'option' | 'project' | 'isSecret'>>;

/** A setting that always has a value. */
export function setting<
  T extends NonNullable<unknown>,
  const F extends string | undefined = undefined,
>(facts: Facts<T, F> & { readonly fallback: string }): Setting<T, F> {
  const initial = facts.kind.read(facts.fallback);
  if (initial === undefined) throw new Error(`the default ${facts.fallback} can't be read`);
  return complete(facts, initial);
}

/** A setting without a default. */
export function optional<
  T extends NonNullable<unknown>,
  const F extends string | undefined = undefined,
>(facts: Facts<T, F>): Setting<T | undefined, F> {
  return complete<T | undefined, F>(facts as Facts<T | undefined, F>, undefined);
}

/** A list that is empty by default. */
export function listed<T, const F extends string | undefined = undefined>(
  facts: Facts<readonly T[], F>,
): Setting<readonly T[], F> {
  return complete(facts, []);
}

const never: ProjectRule<never> = { may: 'never' };
export const any: ProjectRule<never> = { may: 'any' };

export const smaller: ProjectRule<number> = {
  may: 'stricter',
  isStricter: (wanted, current) => current === undefined || wanted < current,
  sense: 'smaller',
};

export const larger: ProjectRule<number> = {
  may: 'stricter',
  isStricter: (wanted, current) => current === undefined || wanted > current,
  sense: 'larger',
};

/** @param order From the loosest to the strictest. */
export const further = <T extends string>(...order: readonly T[]): ProjectRule<T> => ({
  may: 'stricter',
  isStricter: (wanted, current) =>
    current === undefined || order.indexOf(wanted) > order.indexOf(current),
  sense: `in the order ${order.join(', ')}`,
});

function complete<T, F extends string | undefined>(facts: Facts<T, F>, initial: T) {
  const { field, yaml, option, aliases = [], project = never, isSecret = false } = facts;
  const own = { field, yaml, option, aliases, project, isSecret, initial };
  return { fallback: undefined, ...facts, ...own } as Setting<T, F>;
}
