import type * as z from 'zod';
import { AppError } from '../../contract/errors.ts';
import {
  isMissingValue,
  plainIssues,
  unknownField,
  wordsOf,
} from '../../contract/text/issue-words.ts';
import { printable } from '../../contract/text/printable.ts';
import type { LineOf } from './json-lines.ts';

const SHOWN = 10;

type Issue = z.core.$ZodIssue;

/** What is wrong with one field of a manifest. */
export interface ManifestIssue {
  /** `task_kinds[0].mode`, or `file` for the whole. */
  readonly field: string;
  /** Without a full stop. */
  readonly problem: string;
  /** A sentence. */
  readonly fix: string;
  /** From 1. */
  readonly line?: number | undefined;
}

/** What is wrong with a manifest, field by field. `knownFields` are all that a manifest has, of any depth. */
export const manifestIssues = (
  error: z.ZodError,
  knownFields: readonly string[],
  lineOf?: LineOf,
): readonly ManifestIssue[] =>
  error.issues.flatMap(plainIssues).flatMap((issue) => issuesOf(issue, knownFields, lineOf));

/** The error for these issues: one line each, at most ten. */
export function manifestInvalid(path: string, found: readonly ManifestIssue[]): AppError {
  const rest = found.length - SHOWN;
  const lines = [
    ...found.slice(0, SHOWN).map(lineFor),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
  ];
  const located = found.map(({ field, problem, fix, line }) => ({
    where: line === undefined ? path : `${path}:${line}`,
    problem: `${field}: ${problem}`,
    fix,
  }));
  return new AppError('MANIFEST_INVALID', { path, issues: lines.join('\n'), found: located });
}

/** `  task_kinds[0].mode: must be … Correct it. (line 12)` */
const lineFor = ({ field, problem, fix, line }: ManifestIssue): string =>
  `  ${printable(field)}: ${printable(problem, 500)}. ${fix}${line === undefined ? '' : ` (line ${line})`}`;

function issuesOf(issue: Issue, knownFields: readonly string[], lineOf?: LineOf): ManifestIssue[] {
  const field = fieldOf(issue.path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      const found = unknownField(key, knownFields, 'Remove it.');
      return { field: fieldOf(path), ...found, line: lineOf?.(path) };
    });
  const said = { field: field || 'file', line: lineOf?.(issue.path) };
  return isMissingValue(issue)
    ? [{ ...said, problem: `it is missing; it ${wordsOf(issue)}`, fix: 'Add it.' }]
    : [{ ...said, problem: wordsOf(issue), fix: 'Correct it.' }];
}

const fieldOf = (path: Issue['path']): string =>
  path.reduce<string>(
    (before, key) =>
      typeof key === 'number'
        ? `${before}[${key}]`
        : `${before}${before === '' ? '' : '.'}${String(key)}`,
    '',
  );
