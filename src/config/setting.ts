import type { Kind } from './kinds.ts';

/** One setting: its names, its form, and who may set it. */
export interface Setting<T> {
  /** One sentence for the documentation. */
  readonly summary: string;
  readonly kind: Kind<NonNullable<T>>;
  /** The default as a person would write it; undefined: none. */
  readonly fallback: string | undefined;
  /** The value where nobody set it. */
  readonly initial: T;
  /** Its place in `config.yaml` and `capstan.yaml`; undefined: it can't stand there. */
  readonly yaml: string | undefined;
  /** Other names in the environment; the first one that is set counts. */
  readonly aliases: readonly string[];
  /** Its name among the options of a command and the overrides of a call: `budgetUsd`. */
  readonly option: string | undefined;
  readonly project: ProjectRule<NonNullable<T>>;
  /** Shown masked, wherever it is shown. */
  readonly isSecret: boolean;
}

/** What a trusted project's `capstan.yaml` may do with a setting. */
export type ProjectRule<T> =
  | { readonly may: 'never' }
  | { readonly may: 'any' }
  | {
      readonly may: 'stricter';
      /** Whether `wanted` allows less than `current`. A `current` of undefined is no limit at all. */
      isStricter(wanted: T, current: T | undefined): boolean;
      readonly sense: string;
    };

interface Facts<T> {
  readonly summary: string;
  readonly kind: Kind<T>;
  readonly yaml?: string;
  readonly aliases?: readonly string[];
  readonly option?: string;
  readonly project: ProjectRule<T>;
  readonly isSecret?: boolean;
}

/** A setting that always has a value. */
export function setting<T extends NonNullable<unknown>>(
  facts: Facts<T> & { readonly fallback: string },
): Setting<T> {
  return {
    ...complete(facts),
    fallback: facts.fallback,
    initial: facts.kind.schema().parse(facts.fallback),
  };
}

/** A setting that may be left open. */
export function optional<T extends NonNullable<unknown>>(facts: Facts<T>): Setting<T | undefined> {
  return { ...complete(facts), fallback: undefined, initial: undefined } as Setting<T | undefined>;
}

export const never: ProjectRule<never> = { may: 'never' };
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

function complete<T>(facts: Facts<T>) {
  const { summary, kind, yaml, aliases = [], option, project, isSecret = false } = facts;
  return { summary, kind, yaml, aliases, option, project, isSecret };
}
