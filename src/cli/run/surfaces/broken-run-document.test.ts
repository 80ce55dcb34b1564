import { describe, expect, it } from 'vitest';
import { AppError } from '../../../contract/errors.ts';
import { exitCodeOfError } from '../../errors/exit-codes.ts';
import { brokenRunDocument } from './print-run.ts';

const isolation = new AppError('ISOLATION_REFUSED', {
  wanted: 'A',
  inForce: 'C',
  why: 'a test',
  fix: 'x',
});
const notParked = new AppError('RUN_NOT_PARKED', { id: 'r1', status: 'completed', isTask: true });
const newer = new AppError('DATABASE_NEWER', { path: '/db', version: 9, known: 8 });
const provider = new AppError('PROVIDER_FAILED', { problem: 'openai: HTTP 500' });

describe('the document of a run that could not start or continue', () => {
  it.each([
    [isolation, 'isolation', 7],
    [provider, 'provider', 6],
    [newer, 'settings', 2],
    [notParked, 'crashed', 1],
    [new Error('a bug'), 'crashed', 1],
  ] as const)('has for "%s" the reason %s, and the exit code is %d', (error, reason, code) => {
    expect({ ...brokenRunDocument(error), code: exitCodeOfError(error) }).toMatchObject({
      status: 'failed',
      reason,
      code,
    });
  });

  it('has the id of the run if its row exists', () => {
    const run = { id: 'r2', sessionId: 's2' };
    expect(brokenRunDocument(isolation).run_id).toBeNull();
    expect(brokenRunDocument(notParked).run_id).toBe('r1');
    expect(brokenRunDocument(isolation, run)).toMatchObject({ run_id: 'r2', session_id: 's2' });
  });
});
