import * as z from 'zod';

export const Done = z.object({ ok: z.boolean() });
export const done = { ok: true } as const;
/** A count in an address. */
export const limit = (fallback: number, max: number) =>
  z.coerce.number().int().min(1).max(max).default(fallback);

/** The name of this surface in records. */
export const BY = 'dashboard';

const DAY_MS = 86_400_000;

/** A time, or how long ago: `2027-01-31`, `30d`. */
export const Since = z
  .string()
  .regex(
    /^(?:\d{1,4}d|\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)$/,
    'Write 30d or 2027-01-31.',
  )
  .transform((text) =>
    text.endsWith('d') ? new Date(Date.now() - Number.parseInt(text, 10) * DAY_MS) : new Date(text),
  )
  .refine((date) => !Number.isNaN(date.getTime()), 'Write 30d or 2027-01-31.');
