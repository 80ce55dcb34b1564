import { describe, expect, it } from 'vitest';
import { judgeRun, type RunFacts } from './judge-run.ts';

type Subtask = RunFacts['subtasks'][number];
type Intent = RunFacts['intents'][number];

const subtask = (changes: Partial<Subtask> = {}): Subtask => ({
  phase: 'execution',
  status: 'completed',
  reason: null,
  ...changes,
});
const intent = (changes: Partial<Intent> = {}): Intent => ({
  name: 'file_io.write',
  target: 'report.md',
  tier: 1,
  status: 'denied',
  denial: 'denied',
  ...changes,
});
const judge = (changes: Partial<RunFacts>) =>
  judgeRun({ subtasks: [subtask()], intents: [], stoppedBy: undefined, ...changes });

describe('judgeRun', () => {
  it('calls a run completed if every step of the execution completed', () => {
    expect(judge({})).toEqual({ status: 'completed', reason: null });
  });

  it('forgives a failed discovery when the execution completed', () => {
    const failed = subtask({ phase: 'discovery', status: 'failed', reason: 'subtask_failed' });
    expect(judge({ subtasks: [failed, subtask()] }).status).toBe('completed');
  });

  it.each([
    ['a failed step', { status: 'failed', reason: 'subtask_failed' }, 'subtask_failed'],
    ['a provider that is gone', { status: 'failed', reason: 'provider' }, 'provider'],
    ['a spent budget', { status: 'failed', reason: 'budget' }, 'budget'],
  ] as const)('fails for %s, with its reason', (_what, changes, reason) => {
    const skipped = subtask({ status: 'skipped', reason: 'dependency_failed' });
    expect(judge({ subtasks: [skipped, subtask(changes)] })).toEqual({ status: 'failed', reason });
  });

  it('fails although every step completed, if the outcome of a command is unknown', () => {
    const unknown = intent({ name: 'terminal.write', tier: 2, status: 'unknown', denial: null });
    expect(judge({ intents: [unknown] })).toEqual({ status: 'failed', reason: 'crashed' });
  });

  it('fails as denied although every step completed, when a write was denied for good', () => {
    expect(judge({ intents: [intent()] })).toEqual({ status: 'failed', reason: 'denied' });
  });

  it.each([
    [
      'on the same target later',
      [intent(), intent({ name: 'file_io.edit', status: 'done' })],
      'completed',
    ],
    ['on another target', [intent(), intent({ target: 'other.md', status: 'done' })], 'failed'],
    ['on the same target before', [intent({ status: 'done' }), intent()], 'failed'],
    [
      'but only by reading, which is no tier 1',
      [intent({ tier: 0, name: 'file_io.read' })],
      'completed',
    ],
  ])('judges a denial by what the same tool did %s', (_what, intents, status) => {
    expect(judge({ intents }).status).toBe(status);
  });

  it('is not content that a file was read which was not to be written', () => {
    const read = intent({ name: 'file_io.read', tier: 0, status: 'done' });
    expect(judge({ intents: [intent(), read] })).toEqual({ status: 'failed', reason: 'denied' });
  });

  it.each([
    ['a budget', [intent(), intent({ target: 'b', denial: 'budget' })], null, 'budget'],
    ['isolation', [intent({ denial: 'isolation' })], null, 'isolation'],
    [
      'a provider at rest',
      [intent(), intent({ target: 'b', denial: 'provider' })],
      null,
      'provider',
    ],
    ['a deadline', [intent()], 'deadline', 'deadline'],
    ['a denial', [intent()], 'subtask_failed', 'denied'],
  ] as const)(
    'gives %s as the reason before what counts for less',
    (_what, intents, of, reason) => {
      const subtasks = [subtask(of === null ? {} : { status: 'failed', reason: of })];
      expect(judge({ subtasks, intents })).toEqual({ status: 'failed', reason });
    },
  );

  it.each([
    ['cancelled', { status: 'cancelled', reason: 'cancelled' }],
    ['deadline', { status: 'failed', reason: 'deadline' }],
  ] as const)('reports the reason of a stopped run (%s)', (stoppedBy, verdict) => {
    expect(judge({ stoppedBy })).toEqual(verdict);
  });
});
