import type * as z from 'zod';

type Frozen<T> = T extends readonly (infer Part)[]
  ? readonly Frozen<Part>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** A document of the API as it arrives. */
export type DocumentOf<Schema extends z.ZodType> = Frozen<z.output<Schema>>;
/** A document that the API takes. */
export type InputOf<Schema extends z.ZodType> = Frozen<z.input<Schema>>;
