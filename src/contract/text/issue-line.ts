import type * as z from 'zod';

/** All that a schema found wrong, on one line: `capsule: write the id of a capsule; tool: write the name of a tool`. */
export const issueLine = ({ issues }: Pick<z.ZodError, 'issues'>): string =>
  issues.map(({ path, message }) => withField(path.map(String).join('.'), message)).join('; ');

/** A message that names its field in quotes needs no other name. */
const withField = (field: string, message: string): string =>
  field === '' || message.startsWith(`"${field}"`) ? message : `${field}: ${message}`;
