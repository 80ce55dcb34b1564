import type * as z from 'zod';
import { closest } from '../config/closest.ts';
import { printable } from '../config/printable.ts';
import type { LineOf } from './json-lines.ts';

const SHOWN = 10;

type Issue = z.core.$ZodIssue;

/** What is wrong with a manifest: one line for each field, which says how to mend it. */
export function manifestIssues(
  error: z.ZodError,
  knownFields: readonly string[],
  lineOf?: LineOf,
): string {
  const lines = error.issues.flatMap((issue) => linesOf(issue, knownFields, lineOf));
  const rest = lines.length - SHOWN;
  return [...lines.slice(0, SHOWN), ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}

/** `task_kinds[0].mode: must be … (line 12)` */
export const manifestIssue = (field: string, problem: string, line?: number): string =>
  `  ${printable(field)}: ${printable(problem, 500)}${line === undefined ? '' : ` (line ${line})`}`;

function linesOf(issue: Issue, knownFields: readonly string[], lineOf?: LineOf): string[] {
  const field = fieldOf(issue.path);
  if (issue.code !== 'unrecognized_keys')
    return [manifestIssue(field || 'file', wordsOf(issue), lineOf?.(issue.path))];
  return issue.keys.map((key) => {
    const meant = field === '' ? closest(key, knownFields) : undefined;
    const fix = meant ? `Did you mean ${meant}?` : 'Remove it.';
    const place = lineOf?.([...issue.path, key]);
    const name = field === '' ? key : `${field}.${key}`;
    return manifestIssue(name, `there is no such field. ${fix}`, place);
  });
}

const fieldOf = (path: Issue['path']): string =>
  path.reduce<string>(
    (before, key) =>
      typeof key === 'number'
        ? `${before}[${key}]`
        : `${before}${before === '' ? '' : '.'}${String(key)}`,
    '',
  );

function wordsOf(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    const isMissing = /received undefined$/.test(issue.message);
    const wanted = `must be ${nameOf(issue.expected)}.`;
    return isMissing ? `it is missing; add it: it ${wanted}` : `${wanted} Correct it.`;
  }
  if (issue.code === 'invalid_value') {
    const values = issue.values.map((value) => JSON.stringify(value)).join(', ');
    return `must be one of ${values}. Correct it.`;
  }
  return `${issue.message.replace(/\.$/, '')}. Correct it.`;
}

const nameOf = (expected: string): string => {
  if (expected === 'array') return 'a list';
  if (expected === 'record' || expected === 'object') return 'a group of fields';
  return expected === 'int' ? 'a whole number' : `a ${expected}`;
};
