import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CapstanEvent, EventOf } from '../../../contract/event.ts';
import { createStyle } from '../../text/style.ts';
import { sentenceWords } from './line-words.ts';
import { createRunLines, type RunLinesOptions } from './run-lines.ts';

const id = '0199a1b2-0000-7000-8000-00003f9c0a12';
const about = { at: '', run_id: id, subtask_id: 's2', capsule_id: 'file-clerk', intent_id: 'i' };
const first = { ...about, subtask_id: 's1', capsule_id: 'command-runner' };
const used = { input_tokens: 0, output_tokens: 0, duration_ms: 1 };

const opened: EventOf<'provider.opened'> = {
  ...{ type: 'provider.opened', at: '', run_id: id, provider: 'anthropic', limit_usd: 1 },
  ...{ models: ['claude-sonnet-5', 'claude-sonnet-5'], origin: null },
};
const planned: CapstanEvent = {
  ...{ type: 'plan.made', at: '', run_id: id, phase: 'execution' },
  subtasks: [
    { id: 's1', description: 'Run the cart tests', depends_on: [] },
    { id: 's2', description: 'Fix the rounding in src/cart.js\nand no more', depends_on: ['s1'] },
  ],
};
const begun: CapstanEvent = { type: 'subtask.started', ...about, attempt: 1 };
const ended = (changes: object): CapstanEvent => ({
  ...{ type: 'subtask.ended', ...first, status: 'completed', reason: null, message: null },
  ...{ duration_ms: 4_100, ...changes },
});
const asked: CapstanEvent = {
  ...{ type: 'approval.asked', ...about, approval_id: 'a1', kind: 'tool' },
  question: 'Allow file-clerk to change src/cart.js?',
};
const decided = (answer: string, by: string): CapstanEvent => ({
  ...{ type: 'approval.decided', ...about, approval_id: 'a1', answer, by },
});
const denied: CapstanEvent = {
  ...{ type: 'intent.denied', ...about, what: 'file_io.edit src/cart.js', reason: 'denied' },
  sentence: 'The approve mode is "deny".',
};

/** The lines of these events. */
function linesOf(events: readonly CapstanEvent[], options: Partial<RunLinesOptions> = {}) {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const head = { id, isolation: 'A: tested' };
  const lines = createRunLines(write, {
    style: createStyle({}, false),
    level: 'info',
    head,
    ...options,
  });
  for (const event of events) lines.onEvent(event);
  return { lines, text: () => text };
}

it('shows a run in a pipe', () => {
  const cost: CapstanEvent = {
    ...{ type: 'model.answered', ...first, provider: 'anthropic', model: 'm', ok: true },
    ...{ message: null, cost_usd: 0.04, ...used },
  };
  const events = [
    ...[opened, planned, { type: 'subtask.started', ...first, attempt: 1 } as CapstanEvent, cost],
    ...[ended({ summary: '2 of 14 fail, both in total()' }), begun],
    ...[asked, decided('deny', 'approve_mode'), denied],
    ended({ ...about, status: 'failed', reason: 'denied', message: 'It was denied.' }),
  ];
  expect(linesOf(events).text().split('\n')).toEqual([
    'run 3f9c0a12: claude-sonnet-5 at anthropic, sandbox A (bubblewrap, tested)',
    '1 start   Run the cart tests (command-runner)',
    '1 done    2 of 14 fail, both in total() (4.1 s, $0.04)',
    '2 start   Fix the rounding in src/cart.js (file-clerk)',
    '2 denied  change src/cart.js (approve mode deny)',
    '',
  ]);
});

it.each([
  ['B: A: bubblewrap is not installed', 'sandbox B (no bubblewrap)'],
  ['B: A: prlimit is not installed', 'sandbox B (no prlimit)'],
  ['B: A: bwrap: No permissions to create new namespace', 'sandbox B (level A does not work here)'],
  [
    'B: A: its test was interrupted (no answer within 10 s) and is repeated at the next start',
    'sandbox B (the test of level A was interrupted)',
  ],
])('says why level A is not in force: %s', (isolation, sandbox) => {
  expect(linesOf([opened], { head: { id, isolation } }).text()).toContain(`, ${sandbox}\n`);
});

it('names a server on this machine by its address', () => {
  const local = { ...opened, provider: 'openai', origin: 'http://127.0.0.1:8123' } as CapstanEvent;
  expect(linesOf([local]).text()).toContain('claude-sonnet-5 at 127.0.0.1:8123, sandbox A');
});

it('leaves the failure of a plan without a model to the end of the run', () => {
  const failed = (provider: string): CapstanEvent => ({
    ...{ type: 'model.answered', ...first, provider, model: 'm', ok: false },
    ...{ message: 'It failed.', cost_usd: 0, ...used },
  });
  const alone = linesOf([failed('anthropic')]);
  alone.lines.close();
  expect(alone.text()).toBe('! It failed.\n');
  expect(linesOf([failed('offline')]).text()).not.toContain('It failed.');
});

it('says once why a model call failed, if the end of its step or of the run says it too', () => {
  const failed: CapstanEvent = {
    ...{ type: 'model.answered', ...first, provider: 'openai', model: 'm', ok: false },
    ...{ message: 'It failed.', cost_usd: 0, ...used },
  };
  const alone = linesOf([failed]);
  alone.lines.showFailure('openai: It failed.');
  expect(alone.text()).toBe('');
  const inStep = linesOf([
    planned,
    failed,
    ended({ status: 'failed', reason: 'provider', message: 'It failed.' }),
  ]);
  expect(inStep.text().match(/It failed/g)).toHaveLength(1);
  expect(linesOf([failed, begun]).text()).toContain('! It failed.\n');
});

it('shows a run in whole sentences', () => {
  const events = [
    planned,
    begun,
    ended({ summary: 'Two tests fail' }),
    asked,
    decided('deny', 'approve_mode'),
    denied,
  ];
  expect(linesOf(events, { words: sentenceWords }).text().split('\n')).toEqual([
    'Step 2 starts: Fix the rounding in src/cart.js (file-clerk).',
    'Step 1 is done: Two tests fail (4.1 s).',
    'Step 2 was not allowed to change src/cart.js (approve mode deny).',
    '',
  ]);
});

it('shows details only at the log level debug', () => {
  const routed: CapstanEvent = { type: 'subtask.routed', ...about, zone: 'take', score: 0.91 };
  expect(linesOf([planned, routed]).text()).toBe('');
  expect(linesOf([planned, routed], { level: 'debug' }).text()).toContain('"score":0.91');
});

it.each([
  ['error', []],
  ['warn', ['notice', 'denied']],
  ['info', ['notice', 'start', 'denied']],
] as const)('shows the events of the log level %s', (level, shown) => {
  const notice: CapstanEvent = { type: 'run.noticed', at: '', run_id: id, text: 'notice' };
  const text = linesOf([planned, notice, begun, denied], { level }).text();
  expect(['notice', 'start', 'denied'].filter((word) => text.includes(word))).toEqual(shown);
});

it('shows notices at a separate level, since they are not progress', () => {
  const notice: CapstanEvent = { type: 'run.noticed', at: '', run_id: id, text: 'a\u001b[2Jb' };
  const { text } = linesOf([notice, begun], { level: 'error', noticeLevel: 'info' });
  expect(text()).toBe('! a\\u001b[2Jb\n');
});

it('shows a line that a capsule printed beside its messages', () => {
  const noise: CapstanEvent = {
    type: 'capsule.noise',
    ...about,
    text: 'this is not json\u001b[2J',
  };
  expect(linesOf([noise]).text()).toBe('! file-clerk printed: this is not json\\u001b[2J\n');
  expect(linesOf([noise], { level: 'warn' }).text()).toBe('');
});

describe('a question', () => {
  it('is shown with its id if nobody answers immediately, and with its answer if another process gives it', () => {
    const { text } = linesOf([planned, asked, begun, decided('approve', 'dashboard')]);
    expect(
      text()
        .split('\n')
        .filter((line) => !line.includes('start')),
    ).toEqual([
      '2 asks    Allow file-clerk to change src/cart.js? (a1)',
      '2 allowed change src/cart.js (from dashboard)',
      '',
    ]);
  });

  it('and its answers are not repeated beside the prompt that shows them', () => {
    const asking = { hasShown: () => false };
    expect(linesOf([planned, asked, decided('approve', 'terminal')], { asking }).text()).toBe('');
  });
});

it('says that a run continues, without the mark of a warning', () => {
  const at = { type: 'run.resumed', run_id: id, task: 'Fix it\nand', at: '' } as const;
  const resumed = { ...at, workspace: '/w', provider: 'offline' } as CapstanEvent;
  expect(linesOf([resumed]).text()).toBe('run 3f9c0a12 continues: Fix it\n');
});

it('counts the steps of a resumed run on', () => {
  const known = [
    { id: 's1', description: 'Run the cart tests' },
    { id: 's2', description: 'Fix the rounding' },
  ];
  expect(linesOf([begun], { known }).text()).toBe('2 start   Fix the rounding (file-clerk)\n');
});

describe('long work', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is named every 30 s without another line, but not while a person is waited for', () => {
    const now = () => Date.now();
    const { lines, text } = linesOf([planned, begun], { now });
    vi.advanceTimersByTime(61_000);
    expect(text().split('\n').slice(1, -1)).toEqual(['2 working 30 s', '2 working 60 s']);
    lines.onEvent(asked);
    vi.advanceTimersByTime(600_000);
    expect(text().split('\n').slice(3, -1)).toEqual([
      '2 asks    Allow file-clerk to change src/cart.js? (a1)',
    ]);
    lines.close();
  });
});

it('a command of several lines is named by its first', () => {
  const what = 'terminal.write mkdir out\necho done';
  const { text } = linesOf([opened, planned, begun, { ...denied, what } as CapstanEvent]);
  expect(text()).toContain('2 denied  run mkdir out… (');
});

describe('the calls of a model', () => {
  const call = (target: string, fields: object): CapstanEvent =>
    ({
      ...{ type: 'tool.answered', ...first, tool: 'file_io.read', target, ok: true },
      ...{ message: null, duration_ms: 1, ...fields },
    }) as CapstanEvent;
  const failed = call('ro/a.js', { tool: 'file_io.write', ok: false, message: 'It is read-only.' });
  const tested = call('npm test', { tool: 'terminal.read', exit_code: 0 });
  const done = ended({ summary: 'Made it.' });
  const shown = (events: readonly CapstanEvent[], from = opened) =>
    linesOf([from, planned, ...events])
      .text()
      .trimEnd()
      .split('\n')
      .slice(1);

  it('have a line if they failed, are commands, or are the last of a step', () => {
    expect(shown([failed, call('a.md', {}), tested, call('b.md', {}), done])).toEqual([
      '1 tool    write ro/a.js: It is read-only.',
      '1 tool    run npm test: exit code 0',
      '1 tool    read b.md',
      '1 done    Made it. (4.1 s)',
    ]);
    const many = Array.from({ length: 40 }, () => failed);
    expect(shown([...many, done])).toHaveLength(33);
    expect(shown([failed, done], { ...opened, models: [] } as typeof opened)).toHaveLength(1);
  });

  it('that changed a file of the person are shown with the difference', () => {
    const diff = `Index: a\n${'='.repeat(67)}\n--- a\n+++ a\n@@ -1,1 +1,1 @@\n-one\n+two\n`;
    const file = { path: 'a', bytes: 3, sha256: null, diff };
    const written = { type: 'file.written', ...first, ...file } as CapstanEvent;
    const edit = call('a', { tool: 'file_io.edit' });
    expect(shown([edit, written]).slice(0, 4)).toEqual([
      ...['1 tool    change a', '  │ @@ -1,1 +1,1 @@', '  │ -one', '  │ +two'],
    ]);
    const byTerminal = { ...decided('approve', 'terminal'), ...first } as CapstanEvent;
    expect(shown([byTerminal, edit, written, done])[0]).toBe('1 tool    change a');
    expect(shown([byTerminal, edit, written, done])).toHaveLength(2);
  });
});
