import type * as z from 'zod';
import { either } from './either.ts';
import { isMissingValue, plainIssues, wordsOf } from './issue-words.ts';

type Issue = z.core.$ZodIssue;

/** All that a schema found wrong, on one line: `capsule: write the id of a capsule; tool: write the name of a tool`. */
export const issueLine = ({ issues }: { readonly issues: readonly Issue[] }): string =>
  issues
    .flatMap(plainIssues)
    .map((issue) => withField(issue.path.map(String).join('.'), problemWords(issue)))
    .join('; ');

/** What is wrong with one value, in plain words, without its name and a full stop: `it must be a text`. */
export function problemWords(issue: Issue): string {
  if (issue.code === 'unrecognized_keys' && /^Unrecognized key/.test(issue.message))
    return `there is no field ${either(issue.keys.map((key) => JSON.stringify(key)))} here`;
  const said = wordsOf(issue);
  if (!said.startsWith('must ')) return said;
  return isMissingValue(issue) ? `it is missing and ${said}` : `it ${said}`;
}

/** A message that names its field in quotes needs no other name. */
const withField = (field: string, message: string): string =>
  field === '' || message.startsWith(`"${field}"`) ? message : `${field}: ${message}`;
