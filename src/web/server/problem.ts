import * as z from 'zod';
import { AppError, type ErrorCode, messageOf } from '../../contract/errors.ts';
import type { NextAction } from '../../contract/next.ts';

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

const statusOfCode: Partial<Record<ErrorCode, number>> = {
  RUN_UNKNOWN: 404,
  APPROVAL_UNKNOWN: 404,
  SESSION_UNKNOWN: 404,
  NO_SESSION: 404,
  CAPSULE_UNKNOWN: 404,
  MEMORY_UNKNOWN: 404,
  OVERLAY_UNKNOWN: 404,
  APPROVAL_CLOSED: 409,
  APPROVAL_ELSEWHERE: 409,
  RUN_NOT_PARKED: 409,
  RUN_ENDED: 409,
  RUN_ACTIVE: 409,
  SESSION_PARKED: 409,
  FORK_FILES_DIFFER: 409,
  OVERLAY_CHANGED: 409,
  MEMORY_UNTRUSTED: 409,
  DATABASE_FAILED: 503,
  CAPSTAN_CLOSED: 503,
};

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  413: 'Content too large',
  415: 'Unsupported media type',
  421: 'Misdirected request',
  429: 'Too many requests',
  503: 'Unavailable',
};

export const problem = (
  status: number,
  code: string,
  detail: string,
  more: Partial<Pick<Problem, 'details' | 'next'>> = {},
): Problem => ({
  ...{ type: 'about:blank', title: titles[status] ?? 'Error', status, detail, code },
  ...{ details: null, next: [] },
  ...more,
});

/** A failure as a problem document. Unexpected errors reveal nothing about the program. */
export function problemOf(error: unknown): Problem {
  if (error instanceof AppError) {
    const { details, next, message } = error;
    const code: ErrorCode = error.code;
    return problem(statusOfCode[code] ?? 400, code, message, { details, next });
  }
  if (error instanceof z.ZodError) {
    return problem(400, 'USAGE', z.prettifyError(error), {
      details: error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
    });
  }
  const { statusCode } = error as { readonly statusCode?: number };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return problem(statusCode, 'USAGE', messageOf(error));
  return problem(500, 'INTERNAL', 'The request failed. The output of the server says why.');
}
