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
  subtaskId: 's1',
  kind: 'tool',
  name: 'file_io.write',
  target: 'report.md',
  tier: 1,
  status: 'denied',
  step: 6,
  rule: 'change_file',
  denial: 'denied',
  outcome: undefined,
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

  it('fails as denied although every step completed, if a write was denied and never succeeded', () => {
    expect(judge({ intents: [intent()] })).toEqual({ status: 'failed', reason: 'denied' });
  });

  it.each([
    ['on the same target later', [intent(), intent({ status: 'done' })], 'completed'],
    [
      'by appending to the same target',
      [intent(), intent({ name: 'file_io.append', status: 'done' })],
      'failed',
    ],
    [
      'by editing the same target',
      [intent(), intent({ name: 'file_io.edit', status: 'done' })],
      'failed',
    ],
    ['on another target', [intent(), intent({ target: 'other.md', status: 'done' })], 'failed'],
    [
      'that is another operation on the same target',
      [intent({ name: 'file_io.delete' }), intent({ status: 'done' })],
      'failed',
    ],
    [
      'with another method',
      [
        intent({ name: 'http_api.DELETE', tier: 2 }),
        intent({ name: 'http_api.PUT', tier: 2, status: 'done' }),
      ],
      'failed',
    ],
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
    'tool_not_granted',
    'operation_not_granted',
    'path_not_granted',
    'host_not_granted',
    'command_not_granted',
    'path_outside',
    'protected_path',
    'secret_in_request',
    'service_unknown',
    'hook_deny',
    'hook:guard',
  ])('does not fail by itself if a write was refused for %s', (rule) => {
    expect(judge({ intents: [intent({ step: 1, rule })] }).status).toBe('completed');
  });

  it('does not fail by itself if a command was refused for the isolation level', () => {
    const refused = { step: 1, rule: 'isolation_too_low', denial: 'isolation', tier: 2 };
    expect(judge({ intents: [intent(refused)] }).status).toBe('completed');
  });

  it.each([
    ['a gate', { step: 1, rule: 'gate_deny' }],
    ['an unreadable rules file', { step: 1, rule: 'rules_unreadable' }],
    ['a rule', { step: 3, rule: 'no-deletes' }],
    ['a person, a remembered answer or the approve mode', { step: 6, rule: 'change_file' }],
    ['a deadline', { step: 6, denial: 'expired' }],
  ])('fails if a write was refused by %s', (_what, changes) => {
    expect(judge({ intents: [intent(changes)] }).status).toBe('failed');
  });

  it('does not count a request that was open when an earlier process of the run ended', () => {
    expect(judge({ intents: [intent({ step: null, denial: 'cancelled' })] }).status).toBe(
      'completed',
    );
  });

  it.each([
    ['a budget', [intent(), intent({ target: 'b', denial: 'budget' })], null, 'budget'],
    ['isolation', [], 'isolation', 'isolation'],
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
