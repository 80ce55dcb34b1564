import * as z from 'zod';

type Frozen<T> = T extends readonly (infer Part)[]
  ? readonly Frozen<Part>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** A document of a schema, to read. */
export type DocumentOf<Schema extends z.ZodType> = Frozen<z.output<Schema>>;
/** A document that the API takes. */
export type InputOf<Schema extends z.ZodType> = Frozen<z.input<Schema>>;

export const textOrNull = z.string().nullable();
export const numberOrNull = z.number().nullable();
/** A problem in few words. */
export const ErrorDocument = z.object({ code: z.string(), message: z.string() }).nullable();
