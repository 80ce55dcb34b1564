import type { RememberedAnswer } from '../../broker/questions/remembered-answers.ts';
import type { Approval, RememberOptions } from '../../contract/approval.ts';
import { AppError } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import { usage } from '../../contract/usage.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { findByIdToChange } from '../../coordinator/store/runs/find-by-id.ts';
import { exactPattern, patternProblem } from '../../policy/rules/answer-pattern.ts';
import { toolOf } from '../../tools/toolbox.ts';
import { personAt } from '../calls/assert-actor.ts';

/** How an answer is to be remembered. */
export interface RememberRequest {
  /** `run`: until the run ends. `capsule`: in every run of this capsule in this workspace, until its files change. */
  readonly scope: 'run' | 'capsule';
  /** `argv:npm test **`, `path:docs/**`, `host:*.example.com`. Default: this very request. */
  readonly pattern?: string | undefined;
  /** ISO 8601 time. Default: 30 days from now for `capsule`, the end of the run for `run`. */
  readonly until?: string | undefined;
  /** How often it applies, 1 to 1,000,000. Default: without a limit. */
  readonly uses?: number | undefined;
}

type Question = Pick<Approval, 'isForced' | 'kind' | 'operation' | 'requestHash'>;

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
const MAX_USES = 1_000_000;

/**
 * Checks a request to remember an answer and fills in its defaults.
 *
 * @throws AppError `USAGE`, naming the field and its valid values.
 */
export function rememberTerms(
  { scope, pattern, until, uses }: RememberRequest,
  question: Question,
  now: Date,
): RememberOptions {
  if (scope !== 'run' && scope !== 'capsule') {
    throw usage(
      `remember.scope is "${escapeText(String(scope))}". Write run (until this run ends) or capsule.`,
    );
  }
  if (!canRemember(question))
    throw usage('The answer to this question can not be remembered: it is asked each time.');
  const byDefault = scope === 'run' ? null : defaultEndAfter(now);
  return {
    scope,
    pattern: patternOf(pattern, question),
    expiresAt: until === undefined ? byDefault : endOf(until, now),
    maxUses: uses === undefined ? null : usesOf(uses),
  };
}

function patternOf(pattern: string | undefined, { operation, requestHash }: Question): string {
  if (pattern === undefined) return exactPattern(requestHash);
  const problem = patternProblem(pattern, operation, toolOf(operation)?.remembers);
  if (problem) throw usage(`remember.pattern: ${escapeText(problem)}`);
  return pattern;
}

/** The end of an answer that is remembered from now on, if none is named: in 30 days. */
export const defaultEndAfter = (now: Date): string =>
  new Date(now.getTime() + DEFAULT_DAYS * DAY_MS).toISOString();

function endOf(until: string, now: Date): string {
  const end = new Date(until);
  if (Number.isNaN(end.getTime())) {
    throw usage(
      `remember.until is "${escapeText(until)}". Write a time such as 2027-01-31T12:00Z.`,
    );
  }
  if (end <= now) throw usage(`The end ${end.toISOString()} is in the past.`, 'remember.until');
  return end.toISOString();
}

function usesOf(uses: number): number {
  if (Number.isInteger(uses) && uses >= 1 && uses <= MAX_USES) return uses;
  throw usage(`remember.uses is ${uses}. Write a whole number from 1 to ${MAX_USES}.`);
}

/** Whether an answer may be given again: to what tools do (`tool.verb`) and to spending, unless only a person may answer. */
export const canRemember = ({ isForced, kind, operation }: Omit<Question, 'requestHash'>) =>
  !isForced && (kind === 'spend' || (kind === 'tool' && operation.includes('.')));

export interface RevokedAnswer {
  readonly id: string;
  readonly capsuleId: string;
  readonly operation: string;
  /** False if it had been revoked before. */
  readonly isRevoked: boolean;
}

/** Implements `approvals.revoke`. */
export function revokeRemembered(
  { journal, remembered, audit }: Stores,
  given: string,
  { by }: { readonly by: string },
): RevokedAnswer {
  const actor = personAt(by);
  const { id, runId, capsuleId, operation } = findAnswer(given, remembered.list());
  const isRevoked = journal.commit(() => {
    if (!remembered.revoke(id)) return false;
    const detail = { capsuleId, operation };
    audit.append({ actor, action: 'answer.revoked', runId, ref: id, detail });
    return true;
  });
  return { id, capsuleId, operation, isRevoked };
}

const findAnswer = (given: string, rows: readonly RememberedAnswer[]): RememberedAnswer =>
  findByIdToChange(given, {
    what: 'remembered answers',
    find: (id) => rows.find((row) => row.id === id),
    endingWith: (suffix) => rows.filter(({ id }) => id.endsWith(suffix)),
    unknown: (id) =>
      new AppError('APPROVAL_UNKNOWN', { id: escapeText(String(id)), kind: 'remembered' }),
  });
