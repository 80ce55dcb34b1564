import { expect, it } from 'vitest';
import { ioOf } from '../../../test/programs/recorded-io.ts';
import { temporaryPerson } from '../../../test/setup/temporary-person.ts';
import { AppError } from '../../contract/errors.ts';
import { errorDocument } from './error-document.ts';
import { printError } from './print-error.ts';

function printed(error: unknown): string {
  const io = ioOf({ environment: {}, cwd: '/' });
  printError(io, error);
  return io.errors();
}

it('prints the command lines of the next steps below an error', () => {
  const error = new AppError('CAPSULE_QUARANTINED', { id: 'clerk', reason: 'tests', since: 'now' });
  expect(printed(error)).toMatch(
    /^✗ Capsule "clerk" .*\n {2}Try: capstan capsules test clerk\n {7}capstan capsules inspect clerk\n {7}capstan capsules restore clerk\n$/,
  );
});

it('escapes control characters', () => {
  expect(printed(new Error('bad\u001b[2J'))).toBe('✗ bad\\u001b[2J\n  Try: capstan doctor\n');
});

it('names the flag of an option with an invalid value', async () => {
  const person = temporaryPerson();
  try {
    const flags = { budgetUsd: 'much', timeout: 'soon' };
    const environment = { CAPSTAN_CONCURRENCY: 'many' };
    const error = await person.load({ flags, environment }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('budgetUsd = "much" (option): must be');
    expect(String(error)).not.toMatch(/--[a-z]|command line/);
    for (const text of [printed(error), errorDocument(error).error.message]) {
      expect(text).toContain('--budget-usd = "much" (command line): must be');
      expect(text).toContain('--timeout = "soon" (command line): must be');
      expect(text).toContain('CAPSTAN_CONCURRENCY = "many" (environment): must be');
    }
  } finally {
    person.remove();
  }
});

it('gives the next steps in JSON as data with their command lines', () => {
  expect(errorDocument(new AppError('RUN_UNKNOWN', { id: 'x' }))).toEqual({
    error: {
      code: 'RUN_UNKNOWN',
      message: 'There is no run "x". Name a run by the end of its id.',
    },
    next: [{ action: 'list_runs', command: 'capstan runs list --all' }],
  });
});
