import { expect, it } from 'vitest';
import type { FileDiff } from '../../app/runs/changes/diff-run.ts';
import type { RunDocument } from '../../app/runs/show/run-document.ts';
import { brokenRunDocument } from '../run/surfaces/print-run.ts';
import type { RunChanges } from './changed-files.ts';
import { type ClosingOptions, closingLines } from './closing-lines.ts';

const { error: _error, ...plain } = brokenRunDocument(new Error('nobody knows'));
const run_id = '0199a1b2-0000-7000-8000-00003f9c0a12';
const completed = { status: 'completed', reason: null } as const;
const base = { ...plain, run_id, ...completed, provider: 'anthropic' };
const question = {
  id: '0199a1b2-0000-7000-8000-0000e1d92c77',
  kind: 'tool',
  question: 'Allow file-clerk to change Makefile?',
  status: 'pending',
  is_forced: false,
  answer: null,
} as const;
type Step = RunDocument['subtasks'][number];
const steps = (...statuses: Step['status'][]): Step[] =>
  statuses.map((status, i) => ({
    ...{ id: `s${i}`, phase: 'execution', description: 'Do it', depends_on: [], capsule_id: 'c' },
    ...{ status, reason: null, attempts: 1, result: 'x', error: null },
  }));
const file = (path: string, change: FileDiff['change'], diff: string | null): FileDiff => ({
  ...{ path, change, made_by: 's1', kind: 'tool', undoable: true, reason: null, diff },
  ...{ diff_problem: null, before_sha256: null, after_sha256: null, now: 'same', undone_at: null },
  ...{ before_mode: null, after_mode: null },
});
const cart = file('src/cart.js', 'changed', '@@ -1 +1 @@\n-a\n+b\n');
const changesOf = (...files: FileDiff[]): RunChanges => ({
  files,
  not_undoable: [],
  complete: true,
});

/** The lines as a terminal shows them. */
const shown = (
  document: Partial<RunDocument>,
  changes: RunChanges | undefined = changesOf(),
  at: ClosingOptions['at'] = 'conversation',
): readonly string[] => {
  const closing = closingLines({ ...base, ...document }, { changes, at });
  return [
    closing.mark,
    ...[closing.outcome, closing.changes, closing.next].map((parts) => parts.join(' · ')),
  ];
};

it('says what a completed run did, what it changed and what to type next', () => {
  const done = {
    ...{ duration_ms: 29_200, cost_usd: 0.26 },
    subtasks: steps('completed', 'completed', 'completed'),
  };
  const added = file('CHANGELOG.md', 'created', '@@ -0,0 +1,4 @@\n+a\n+b\n+c\n+d\n');
  expect(shown(done, changesOf(cart, added))).toEqual([
    'done',
    'Done in 29 s · 3 of 3 · $0.26',
    'changed src/cart.js +1 -1 · new CHANGELOG.md +4',
    '/diff shows it · /undo takes it back · or type what is next',
  ]);
  expect(shown(done, changesOf(cart), 'shell').at(-1)).toBe(
    'capstan runs diff 3f9c0a12 · capstan runs undo 3f9c0a12',
  );
});

it('names what was denied', () => {
  const target = 'npm publish';
  const denials = [
    { subtask_id: 's1', operation: 'terminal.write', target, reason: 'denied', sentence: 'No.' },
  ];
  const denied: Partial<RunDocument> = {
    ...{ status: 'failed', reason: 'denied', duration_ms: 18_000, cost_usd: 0.06, denials },
    subtasks: steps('completed', 'failed'),
  };
  expect(shown(denied, changesOf(cart))).toEqual([
    'failed',
    'Denied: npm publish was not run · 18 s · 1 of 2 · $0.06',
    'changed src/cart.js +1 -1',
    '/diff shows it · /undo takes it back · or type what to do instead',
  ]);
  expect(shown(denied, changesOf(), 'shell').slice(2)).toEqual([
    'nothing changed',
    'capstan runs show 3f9c0a12',
  ]);
});

it('shows the question that a parked run waits for', () => {
  const parked: Partial<RunDocument> = {
    ...{ status: 'parked', reason: 'approval', duration_ms: 42_000, cost_usd: 0.17 },
    subtasks: steps('completed', 'waiting_approval', 'pending'),
    approvals: [question],
    next: [{ action: 'resume', id: run_id }],
  };
  expect(shown(parked, changesOf(), 'shell')).toEqual([
    'parked',
    'Parked after 42 s · 1 of 3 · $0.17 · a question waits',
    'Allow file-clerk to change Makefile? (e1d92c77) · nothing changed',
    'capstan approvals show e1d92c77 · capstan resume 3f9c0a12',
  ]);
  const two = { ...parked, approvals: [question, { ...question, id: 'q2' }] };
  expect(shown(two, changesOf(), 'shell').slice(1)).toEqual([
    'Parked after 42 s · 1 of 3 · $0.17 · 2 questions wait',
    'Allow file-clerk to change Makefile? (e1d92c77) · 1 more · nothing changed',
    'capstan approvals list · capstan resume 3f9c0a12',
  ]);
});

it.each<[Partial<RunDocument>, string]>([
  [{ provider: 'offline' }, 'Done in 0.0 s'],
  [{ provider: 'ollama' }, 'Done in 0.0 s · free (local model)'],
  [
    { usage: { input_tokens: 40_000, cached_input_tokens: 0, output_tokens: 1_000 } },
    'Done in 0.0 s · 41k tok',
  ],
  [{ cost_usd: 0.17, estimated_cost_usd: 0.1 }, 'Done in 0.0 s · about $0.17'],
  [{ status: 'failed', reason: 'plan_invalid' }, 'Failed: plan invalid · 0.0 s · $0.00'],
  [{ status: 'cancelled', reason: 'cancelled' }, 'Cancelled · 0.0 s · $0.00'],
  [{ status: 'parked', reason: 'interrupted' }, 'Parked after 0.0 s · $0.00 · interrupted'],
])('the outcome of %o is %s', (document, outcome) => {
  expect(shown(document)[1]).toBe(outcome);
});

it("names few of many files, and says what can't be undone", () => {
  const many = Array.from({ length: 12 }, (_, i) => file(`${i}.md`, 'deleted', null));
  const [one, ...others] = many;
  if (!one) throw new Error('no files');
  const changes = { ...changesOf({ ...one, undoable: false }, ...others), complete: false };
  expect(shown({}, changes).slice(2)).toEqual([
    'deleted 0.md · deleted 1.md · deleted 2.md · deleted 3.md · and 8 more files · perhaps more files, which were not compared',
    '/diff shows it · /undo takes back 11 of 12 · or type what is next',
  ]);
});

it('counts the steps that a later plan replaced apart', () => {
  const [first, ...others] = steps('failed', 'completed', 'failed');
  const subtasks = [{ ...first, replaced: true } as (typeof others)[0], ...others];
  expect(shown({ status: 'failed', reason: null, subtasks })[1]).toContain(
    '1 of 2 (1 planned again)',
  );
});

it('escapes names of files and questions of capsules', () => {
  const changes = changesOf(file('a\u001b[2J\nb', 'deleted', null));
  const approvals = [{ ...question, question: 'May\u202e it?\nreally' }];
  expect(shown({ status: 'parked', reason: 'approval', approvals }, changes)[2]).toBe(
    'May\\u202e it?… (e1d92c77) · deleted a\\u001b[2J\\u000ab',
  );
});

it('names in the conversation its own commands, in a shell command lines', () => {
  const next = [{ action: 'choose_provider' }, { action: 'resume', id: run_id }] as const;
  const failed = { status: 'failed', reason: 'subtask_failed', next } as const;
  expect(shown(failed).at(-1)).toBe(
    '/setup sets a model and its key · /resume continues it · or type what to do instead',
  );
  expect(shown(failed, changesOf(), 'shell').at(-1)).toBe(
    'capstan setup · capstan resume 3f9c0a12',
  );
});

it('names what to type next, unless a shell command is done and changed nothing', () => {
  const nextOf = (status: RunDocument['status'], at: 'conversation' | 'shell') =>
    closingLines({ ...base, status }, { changes: undefined, at }).next;
  for (const at of ['conversation', 'shell'] as const)
    for (const status of ['failed', 'cancelled'] as const)
      expect(nextOf(status, at)).not.toEqual([]);
  expect(nextOf('completed', 'conversation')).not.toEqual([]);
  expect(nextOf('completed', 'shell')).toEqual([]);
});
