import type * as z from 'zod';
import { closest } from './closest.ts';
import { either } from './either.ts';

type Issue = z.core.$ZodIssue;

/** The useful issues: if a value may have several forms, those of the form that was meant. */
export function plainIssues(issue: Issue): Issue[] {
  const within = (inner: readonly Issue[]) =>
    inner.flatMap((one) => plainIssues({ ...one, path: [...issue.path, ...one.path] }));
  if (issue.code === 'invalid_key') return within(issue.issues);
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.find((form) => form.some(isInside));
  return meant ? within(meant) : [issue];
}

/** Whether the value has this form, with a problem inside. */
const isInside = ({ path, code }: Issue): boolean => path.length > 0 || code !== 'invalid_type';

/** Whether it is about a missing value. */
export const isMissingValue = ({ code, message }: Issue): boolean =>
  code === 'invalid_type' && /received undefined$/.test(message);

/**
 * The problem of an unknown or misplaced field, without a full stop, and the fix.
 *
 * @param known All field names of the form.
 * @param fix What to do if no other name is close.
 */
export function unknownField(key: string, known: readonly string[], fix: string) {
  const meant = closest(key, known);
  const isMisspelled = meant !== undefined && meant !== key;
  return {
    problem: 'there is no such field here',
    fix: isMisspelled ? `Did you mean ${meant}?` : fix,
  };
}

/** What is wrong, without a full stop: the schema's own message, or plain words in place of zod's. */
export function wordsOf(issue: Issue): string {
  if (!/^(?:Invalid input|Invalid option|Too (?:small|big))\b/.test(issue.message))
    return issue.message.replace(/\.$/, '');
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nameOf(issue.expected)}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map((value) => JSON.stringify(value)))}`;
    case 'too_small':
      return `must ${sizeOf(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${sizeOf(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_union': {
      const forms = issue.errors.flatMap(([first]) =>
        first?.code === 'invalid_type' ? [nameOf(first.expected)] : [],
      );
      return `must be ${either([...new Set(forms)])}`;
    }
    default:
      return issue.message;
  }
}

const oneOf = (values: readonly string[]): string =>
  values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`;

function sizeOf(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'string')
    return limit === 1 && bound === 'at least'
      ? 'not be empty'
      : `have ${bound} ${limit} characters`;
  if (origin === 'array' || origin === 'set') return `have ${bound} ${counted(limit)}`;
  return `be ${bound} ${limit}`;
}

const counted = (count: number | bigint): string => `${count} ${count === 1 ? 'entry' : 'entries'}`;

const names: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['array', 'a list'],
  ['record', 'a group of fields'],
  ['object', 'a group of fields'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['nonoptional', 'there'],
]);

const nameOf = (expected: string): string => names.get(expected) ?? `a ${expected}`;
