import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { AppContext } from '../context/open-context.ts';

type Call = (...args: never[]) => unknown;

/** For each function of an interface, how to load one that also takes the context, before its own arguments. */
type Loads<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R>
    ? () => Promise<(context: AppContext, ...args: A) => R | Promise<R>>
    : never;
};

/** Functions of the application API. The module of each is loaded by its first call. */
export const lazyApi =
  <T>(loads: Loads<T>) =>
  (context: AppContext): T => {
    const calls = Object.entries<() => Promise<Call>>(loads).map(([name, load]) => [
      name,
      async (...args: never[]) => (await load())(context as never, ...args),
    ]);
    return Object.fromEntries(calls);
  };

/** A function of the stores as one of the context. */
export const withStores =
  <A extends readonly unknown[], R>(call: (stores: Stores, ...args: A) => R | Promise<R>) =>
  async (context: AppContext, ...args: A): Promise<R> =>
    call(await context.stores(), ...args);
