import { describe, expect, it } from 'vitest';
import type { CapstanEvent } from '../../../contract/event.ts';
import { createStyle } from '../../text/style.ts';
import type { Frame } from '../frame.ts';
import { asciiSymbols, unicodeSymbols } from '../terminal/symbols.ts';
import { textWidth } from '../terminal/text-width.ts';
import { liveLines } from './live-lines.ts';
import { reduceDelta, reduceRun } from './reduce-run.ts';
import { emptyRun, type RunModel, type ShownStep } from './run-model.ts';

const START = Date.parse('2026-11-23T10:00:00Z');
const style = createStyle({}, false);

const frame = (columns: number, rows = 23, changes: Partial<Frame> = {}): Frame => ({
  columns,
  rows,
  width: Math.min(columns - 1, 100),
  nowMs: 250,
  symbols: unicodeSymbols,
  style,
  isReduced: false,
  ...changes,
});

const event = (seconds: number, fields: object): CapstanEvent =>
  ({ at: new Date(START + seconds * 1_000).toISOString(), run_id: 'r', ...fields }) as CapstanEvent;
const step = (id: string, seconds: number, fields: object) =>
  event(seconds, { subtask_id: id, capsule_id: 'file-clerk', intent_id: `i-${id}`, ...fields });
const answered = (id: string, seconds: number, cost_usd: number, tokens: number) =>
  step(id, seconds, {
    type: 'model.answered',
    ok: true,
    cost_usd,
    input_tokens: tokens,
    output_tokens: 0,
  });

/** Step 1 is done, step 2 streams, step 3 waits. */
const events: readonly CapstanEvent[] = [
  event(0, { type: 'run.started', task: 'x' }),
  event(0, {
    type: 'plan.made',
    phase: 'execution',
    subtasks: [
      { id: 'a', description: 'Run the cart tests', depends_on: [] },
      { id: 'b', description: 'Fix the rounding in src/cart.js', depends_on: ['a'] },
      { id: 'c', description: 'Note the fix in CHANGELOG.md', depends_on: ['b'] },
    ],
  }),
  step('a', 0, { type: 'subtask.started', attempt: 1 }),
  answered('a', 3, 0.04, 9_000),
  step('a', 4, {
    type: 'subtask.ended',
    status: 'completed',
    reason: null,
    message: null,
    duration_ms: 4_100,
  }),
  step('b', 4, { type: 'subtask.started', attempt: 1 }),
  answered('b', 9, 0.13, 41_000),
  step('b', 10, { type: 'model.requested' }),
];
const text =
  'total() rounds each line before it adds, so three items at 0.333 come to 0.99 instead of 1.00. I round once, at the end, and leave the tests as they a';
const model = reduceDelta(events.reduce(reduceRun, emptyRun), {
  ...{ type: 'model.delta', at: '', run_id: 'r', subtask_id: 'b', capsule_id: 'file-clerk' },
  ...{ intent_id: 'next', from: 0, text },
});

const options = { isQuestion: false, wallMs: START + 16_000, budgetUsd: 1, free: '' };
const drawn = (of: RunModel, shape: Frame, changes: Partial<typeof options> = {}) =>
  liveLines(of, shape, { ...options, ...changes }).join('\n');

describe('frame 3', () => {
  it('has every fact of a step at 80 columns', () => {
    expect(drawn(model, frame(80))).toBe(
      `
⠹ 2 Fix the rounding in src/cart.js  file-clerk  think  12 s  41k tok  $0.13
○ 3 Note the fix in CHANGELOG.md     after 2

  total() rounds each line before it adds, so three items at 0.333 come to 0.99
  instead of 1.00. I round once, at the end, and leave the tests as they a

  ██░░░░░░░░░░ $0.17 of $1.00 · 16 s · 1 of 3 done`,
    );
  });

  it('says what a capsule reports of its work, at most 30 characters of it', () => {
    const text = 'reading page 3 of the long report\u001b[2J about harbours';
    const report = step('b', 11, { type: 'capsule.progressed', text, fraction: 0.4 });
    expect(drawn(reduceRun(model, report), frame(100)).split('\n')[1]).toContain(
      'file-clerk  reading page 3 of the long re…  40 %  12 s',
    );
  });

  it('drops tokens and capsule at 60 columns, so that a step keeps 30 for its text', () => {
    expect(drawn(model, frame(60)).split('\n')[1]).toBe(
      '⠹ 2 Fix the rounding in src/cart.js  think  12 s  $0.13',
    );
  });

  it('is not wider than 100 columns on a wide terminal', () => {
    const lines = drawn(model, frame(120)).split('\n');
    expect(lines[1]).toBe(
      '⠹ 2 Fix the rounding in src/cart.js  file-clerk  think  12 s  41k tok  $0.13',
    );
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(100);
  });

  it('uses ASCII where the terminal has no more', () => {
    const lines = drawn(model, frame(80, 23, { symbols: asciiSymbols })).split('\n');
    expect(lines.at(-1)).toBe('  ##.......... $0.17 of $1.00, 16 s, 1 of 3 done');
    expect(lines.join('')).toMatch(/^[ -~]*$/);
  });
});

describe('giving way', () => {
  const wide: RunModel = {
    ...model,
    steps: Array.from({ length: 12 }, (_, index) => ({
      ...(model.steps[index < 6 ? 1 : 2] as ShownStep),
      id: `s${index}`,
      number: index + 1,
      description: `Step ${index + 1}`,
    })),
  };

  it.each([30, 20, 15, 14, 13, 12, 10, 9, 8, 5, 1])('takes at most %i rows', (rows) => {
    const lines = drawn(wide, frame(80, rows)).split('\n');
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(lines.at(-1)).toContain('$0.17 of $1.00');
  });

  it('folds waiting steps before working ones', () => {
    const lines = drawn(wide, frame(80, 10)).split('\n');
    expect(lines.filter((line) => line.startsWith('⠹'))).toHaveLength(6);
    expect(lines).toContain('○ 4 more wait');
  });

  it('folds working steps at last', () => {
    const lines = drawn(wide, frame(80, 8)).split('\n');
    expect(lines).toEqual([
      expect.stringContaining('Step 1'),
      ...Array.from({ length: 4 }, () => expect.stringContaining('Step')),
      expect.stringContaining('Step 6'),
      '○ 6 more wait',
      expect.stringContaining('of $1.00'),
    ]);
    expect(drawn(wide, frame(80, 8), { isQuestion: true })).not.toContain('wait');
  });

  it('draws only the budget below 40 columns', () => {
    expect(drawn(model, frame(39))).toBe('  $0.17 of $1.00 · 16 s · 1 of 3 done');
  });
});

it('shows only working steps and the budget while a question has the focus', () => {
  const lines = drawn(model, frame(80), { isQuestion: true }).split('\n');
  expect(lines).toHaveLength(2);
});

it('never halves a wide character, and cuts no line wider than the frame', () => {
  const wide = {
    ...model,
    steps: model.steps.map((one) => ({ ...one, description: '東京の店の注文を数える'.repeat(5) })),
  };
  for (const columns of [40, 41, 60, 61, 80]) {
    for (const line of drawn(wide, frame(columns)).split('\n')) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns - 1);
      expect(line).not.toContain('\ufffd');
    }
  }
});

it('escapes what agents write', () => {
  const hostile = reduceDelta(model, {
    ...{ type: 'model.delta', at: '', run_id: 'r', subtask_id: 'b', capsule_id: 'c' },
    ...{ intent_id: 'next', from: 0, text: 'a\u001b[2Jb\u202e' },
  });
  expect(drawn(hostile, frame(80))).toContain('a\\u001b[2Jb\\u202e');
});

it('stops the clock while only a person is waited for', () => {
  const asked = reduceRun(
    model,
    step('b', 12, { type: 'approval.asked', approval_id: 'q', kind: 'tool', question: '?' }),
  );
  const line = (seconds: number) => drawn(asked, frame(80), { wallMs: START + seconds * 1_000 });
  expect(line(90)).toBe(line(20));
  expect(line(20)).toContain('? 2 Fix the rounding in src/cart.js  file-clerk  waits for you');
});

it('counts the time of a command from its start, and of a step without the wait for a person', () => {
  const asked = { type: 'approval.asked', approval_id: 'q', kind: 'tool', question: '?' };
  const running = [
    step('b', 11, { type: 'tool.requested', tool: 'terminal.write' }),
    step('b', 11, asked),
    step('b', 31, {
      type: 'approval.decided',
      approval_id: 'q',
      answer: 'approve',
      by: 'terminal',
    }),
  ].reduce(reduceRun, model);
  const shown = (of: RunModel, seconds: number) =>
    drawn(of, frame(80), { wallMs: START + seconds * 1_000 });
  expect(shown(running, 33)).toContain('file-clerk  run  2 s ');
  const thinks = reduceRun(running, step('b', 34, { type: 'model.requested' }));
  expect(shown(thinks, 36)).toContain('file-clerk  think  12 s ');
});

it('says that a local model is free', () => {
  const shown = drawn(model, frame(80), {
    budgetUsd: null as unknown as number,
    free: 'free (local model)',
  });
  expect(shown.split('\n').at(-1)).toBe('  free (local model) · 16 s · 1 of 3 done');
});

it('counts down to the next try of a model below its whole problem, until the answer', () => {
  const delay = (seconds: number) =>
    step('b', seconds, {
      type: 'model.delayed',
      problem: `busy ${'so '.repeat(40)}`,
      wait_ms: 13_000,
    });
  const at = (model: RunModel, seconds: number, columns = 80, rows = 23) =>
    liveLines(model, frame(columns, rows), {
      ...{ isQuestion: false, budgetUsd: null, free: '' },
      wallMs: START + seconds * 1_000,
    }).flatMap((line, index, all) => (line.startsWith('!') ? all.slice(index, -1) : []));
  const waiting = [...events, delay(10), delay(24)].reduce(reduceRun, emptyRun);
  expect(at(waiting, 25).join(' ')).toMatch(/^! busy(?: +so){40} \(trying again in 12 s\)$/);
  expect(at(waiting, 25, 30, 8)).toHaveLength(6);
  expect(at(waiting, 37)).toEqual([]);
  expect(at(reduceRun(waiting, answered('b', 26, 0, 1)), 27)).toEqual([]);
});
