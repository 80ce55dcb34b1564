import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import { AppError, type ErrorCode, messageOf } from '../../contract/errors.ts';
import type { NextAction } from '../../contract/next.ts';
import { issueLine, problemWords } from '../../contract/text/issue-line.ts';

/** RFC 9457. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Stable. */
  readonly code: string;
  readonly details: unknown;
  readonly next: readonly NextAction[];
}

const codes: Readonly<Record<number, readonly ErrorCode[]>> = {
  404: [
    ...(['RUN_UNKNOWN', 'APPROVAL_UNKNOWN', 'SESSION_UNKNOWN', 'NO_SESSION'] as const),
    ...(['CAPSULE_UNKNOWN', 'MEMORY_UNKNOWN', 'OVERLAY_UNKNOWN'] as const),
  ],
  409: [
    ...(['APPROVAL_CLOSED', 'APPROVAL_ELSEWHERE', 'RUN_NOT_PARKED', 'RUN_ENDED'] as const),
    ...(['RUN_ACTIVE', 'SESSION_PARKED', 'FORK_FILES_DIFFER', 'OVERLAY_CHANGED'] as const),
    ...(['MEMORY_UNTRUSTED', 'KEY_USED'] as const),
  ],
  503: ['DATABASE_FAILED', 'CAPSTAN_CLOSED'],
};

const statusOf = (code: ErrorCode): number =>
  [404, 409, 503].find((status) => codes[status]?.includes(code)) ?? 400;

export const problem = (
  status: number,
  code: string,
  detail: string,
  more: Partial<Pick<Problem, 'details' | 'next'>> = {},
): Problem => ({
  ...{ type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail, code },
  ...{ details: null, next: [] },
  ...more,
});

/** A failure as a problem document. Unexpected errors reveal nothing about the program. */
export function problemOf(error: unknown): Problem {
  if (error instanceof AppError) {
    const { details, next, message } = error;
    const code: ErrorCode = error.code;
    return problem(statusOf(code), code, message, { details, next });
  }
  if (error instanceof z.ZodError) {
    return problem(400, 'USAGE', `${issueLine(error)}.`, {
      details: error.issues.map((issue) => ({
        field: issue.path.join('.'),
        message: problemWords(issue),
      })),
    });
  }
  const { statusCode } = error as { readonly statusCode?: number };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return problem(statusCode, 'USAGE', messageOf(error));
  return problem(500, 'INTERNAL', 'The request failed. The output of the server says why.');
}
