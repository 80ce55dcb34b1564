import { describe, expect, it } from 'vitest';
import { ioOf } from '../../../test/programs/recorded-io.ts';
import type { RunDocument } from '../../app/runs/show/run-document.ts';
import type { LogLevel } from '../options/log-level.ts';
import { brokenRunDocument } from '../run/surfaces/print-run.ts';
import { printResult } from './print-result.ts';

const { error: _failure, ...unnamed } = brokenRunDocument(new Error('nobody knows'));
const plain = { ...unnamed, provider: 'offline' };
const base: RunDocument = { ...brokenRunDocument(new Error('nobody knows')), run_id: 'r1' };
const pending = {
  id: 'a1',
  kind: 'tool',
  question: 'May it?',
  status: 'pending',
  answer: null,
  is_forced: false,
} as const;

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
  const about = { changes: undefined, exitCode: 1, isPlain: false };
  printResult({ ...base, ...changes }, { io, write: io.stderr, level, ...about });
  return { out: io.out(), errors: io.errors() };
}

describe('the answer', () => {
  const answer = 'a\u001b]0;title\u0007b\u202ec\r\n\tend\n';

  it('is escaped for a terminal', () => {
    expect(printed({ answer }).out).toBe('a\\u001b]0;title\\u0007b\\u202ec\n\tend\n');
  });

  it('is escaped for a pipe, but keeps the joiners of words and emoji', () => {
    const out = 'a\\u001b]0;title\\u0007b\\u202ec\n\tend\u200d\n';
    const piped = answer.replace('end', 'end\u200d');
    expect(printed({ answer: piped }, { isOutputTerminal: false }).out).toBe(out);
  });
});

describe('the end of a run', () => {
  it('prints an error at every log level, escaped', () => {
    const error = { code: 'INTERNAL', message: 'bad\u001b[2J' };
    const { errors } = printed({ error }, { level: 'error' });
    expect(errors).toContain('✗ bad\\u001b[2J\n');
  });

  it('says once why a subtask failed: its line does, or below the log level info the answer or a line at the end', () => {
    const error = { code: 'FILE_MISSING', message: 'No file `oders.csv`.' };
    const subtasks = [{ ...subtask, status: 'failed' as const, error }];
    const parked = { status: 'parked' as const, reason: 'approval' as const, subtasks };
    expect(printed(parked).errors).not.toContain('No file');
    expect(printed(parked, { level: 'warn' }).errors).toContain('s1: No file `oders.csv`.');
    const answer = 'The task was not done. No file `oders.csv`.';
    const ended = { status: 'failed' as const, answer, subtasks };
    const shown = printed(ended);
    expect(shown.out + shown.errors).not.toContain('No file');
    const quiet = printed(ended, { level: 'warn' });
    expect(quiet.out).toBe(`${answer}\n`);
    expect(quiet.errors).not.toContain('No file');
  });

  it('prints an answer with the effects, also if a step failed', () => {
    const error = { code: 'FILE_MISSING', message: 'No file `oders.csv`.' };
    const subtasks = [subtask, { ...subtask, id: 's2', status: 'failed' as const, error }];
    const answer = 'It sums to 4. No file `oders.csv`.';
    expect(printed({ status: 'failed', answer, subtasks }).out).toContain('It sums to 4.');
  });

  it('is two lines: the outcome with the exit code, then what to type next', () => {
    const run_id = '0199a1b2-0000-7000-8000-00001234abcd';
    const { error: _error, ...rest } = base;
    const io = ioOf({ environment: {}, cwd: '/' });
    const changes = { files: [], not_undoable: [], complete: true };
    const reason = 'denied' as const;
    const failed = { ...rest, run_id, reason, duration_ms: 39_000, cost_usd: 0.17 };
    const about = { changes, exitCode: 4, isPlain: false };
    printResult(failed, { io, write: io.stderr, level: 'error', ...about });
    expect(io.errors()).toBe(
      'failed: denied, 39 s, $0.17, exit code 4\nnothing changed; next: capstan runs show 1234abcd\n',
    );
  });

  it('is left out for a completed run below the log level info', () => {
    const io = ioOf({ environment: {}, cwd: '/' });
    const about = { changes: undefined, exitCode: 0, isPlain: false, level: 'warn' } as const;
    const done = { ...plain, run_id: 'r1', status: 'completed' as const, reason: null };
    printResult(done, { io, write: io.stderr, ...about });
    expect(io.errors()).toBe('');
  });

  it.each<[string, Partial<RunDocument>, string]>([
    [
      'repeats no status as its reason',
      { status: 'cancelled', reason: 'cancelled' },
      'cancelled: 0',
    ],
    ['names a reason', { status: 'failed', reason: 'budget' }, 'failed: budget, 0'],
    [
      'counts the answers that are missing',
      { status: 'parked', reason: 'interrupted', approvals: [pending, { ...pending, id: 'a2' }] },
      'parked: 2 questions wait, 0',
    ],
    [
      'says why a run without questions is parked',
      { status: 'parked', reason: 'crashed' },
      'parked: its process ended, 0',
    ],
  ])('%s', (_title, changes, text) => {
    expect(printed(changes).errors).toContain(text);
  });

  it('is printed in whole sentences for a screen reader', () => {
    const io = ioOf({ environment: {}, cwd: '/' });
    const about = { changes: undefined, exitCode: 0, isPlain: true, level: 'info' } as const;
    const completed = { status: 'completed', reason: null } as const;
    const done = { ...plain, run_id: 'r1', ...completed, subtasks: [subtask] };
    printResult(done, { io, write: io.stderr, ...about });
    expect(io.errors()).toBe('The run is done: 1 step, 0.0 s.\n');
  });
});
