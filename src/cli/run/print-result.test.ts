import { describe, expect, it } from 'vitest';
import { ioOf } from '../../../test/recorded-io.ts';
import type { RunDocument } from '../../app/runs/run-document.ts';
import type { LogLevel } from '../options/log-level.ts';
import { brokenRunDocument } from './broken-run-document.ts';
import { printResult } from './print-result.ts';

const base: RunDocument = { ...brokenRunDocument(new Error('nobody knows')), run_id: 'r1' };
const pending = { id: 'a1', kind: 'tool', question: 'May it?', status: 'pending', answer: null };

const subtask: RunDocument['subtasks'][number] = {
  ...{ id: 's1', phase: 'execution', description: 'Sum it', depends_on: [], capsule_id: 'c' },
  ...{ status: 'completed', reason: null, attempts: 1, result: 'x', error: null },
};

function printed(
  changes: Partial<RunDocument>,
  {
    level = 'info',
    isOutputTerminal = true,
  }: { level?: LogLevel; isOutputTerminal?: boolean } = {},
) {
  const io = ioOf({ environment: {}, cwd: '/' }, { isOutputTerminal });
  printResult({ ...base, ...changes }, { io, write: io.stderr, level });
  return { out: io.out(), errors: io.errors() };
}

describe('the answer', () => {
  const answer = 'a\u001b]0;title\u0007b\u202ec\r\n\tend\n';

  it('is escaped for a terminal', () => {
    expect(printed({ answer }).out).toBe('a\\u001b]0;title\\u0007b\\u202ec\n\tend\n');
  });

  it('is unchanged for a pipe', () => {
    expect(printed({ answer }, { isOutputTerminal: false }).out).toBe(answer);
  });
});

describe('the end of a run', () => {
  it('prints an error at every log level, escaped', () => {
    const error = { code: 'INTERNAL', message: 'bad\u001b[2J' };
    const { errors } = printed({ error }, { level: 'error' });
    expect(errors).toBe('INTERNAL: bad\\u001b[2J\n');
  });

  it('says why a subtask failed if there is no answer that says it', () => {
    const error = { code: 'FILE_MISSING', message: 'No file `oders.csv`.' };
    const failed = { ...subtask, status: 'failed', error };
    const parked = { status: 'parked', reason: 'approval', subtasks: [failed] } as const;
    expect(printed(parked).errors).toContain('s1: No file `oders.csv`.');
    const answer = 'The task was not done. No file `oders.csv`.';
    const { errors } = printed({ status: 'failed', answer, subtasks: [failed] });
    expect(errors).not.toContain('No file');
  });

  it('is printed if nothing else says that the run failed', () => {
    const { error: _error, ...rest } = base;
    const io = ioOf({ environment: {}, cwd: '/' });
    printResult({ ...rest, reason: 'budget' }, { io, write: io.stderr, level: 'error' });
    expect(io.errors()).toBe('failed (budget)\n');
  });

  it.each<[string, Partial<RunDocument>, string]>([
    [
      'repeats no status as its reason',
      { status: 'cancelled', reason: 'cancelled' },
      'cancelled in',
    ],
    ['names a reason', { status: 'failed', reason: 'budget' }, 'failed (budget) in'],
    [
      'counts the answers that are missing',
      { status: 'parked', reason: 'interrupted', approvals: [pending, { ...pending, id: 'a2' }] },
      'parked: waits for 2 answers ·',
    ],
    [
      'says why a run without questions is parked',
      { status: 'parked', reason: 'crashed' },
      'parked (crashed) ·',
    ],
  ])('%s', (_title, changes, text) => {
    expect(printed(changes).errors).toContain(`\n${text} `);
  });

  it('ends with the short id of the run', () => {
    const run_id = '0199a1b2-0000-7000-8000-00001234abcd';
    expect(printed({ status: 'completed', reason: null, run_id }).errors).toMatch(
      /^completed in .* · run 1234abcd$/m,
    );
  });
});
