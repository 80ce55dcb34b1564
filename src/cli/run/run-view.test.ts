import { describe, expect, it } from 'vitest';
import type { CapstanEvent } from '../../contract/event.ts';
import type { LogLevel } from '../options/log-level.ts';
import { createStyle } from '../style.ts';
import { createRunView } from './run-view.ts';

const about = { at: '', run_id: 'r', subtask_id: 's1', capsule_id: 'c', intent_id: 'i' };
const events: readonly CapstanEvent[] = [
  { type: 'run.noticed', ...about, text: 'notice' },
  { type: 'capsule.started', ...about, pid: 4711, isolation: 'C' },
  { type: 'tool.requested', ...about, tool: 'file_io', target: 'a.md', reason: '' },
  { type: 'intent.denied', ...about, what: 'terminal', reason: 'denied', sentence: 'No.' },
  {
    type: 'subtask.ended',
    ...about,
    status: 'failed',
    reason: 'denied',
    message: null,
    duration_ms: 1,
  },
];

it.each<[LogLevel, string[]]>([
  ['error', []],
  ['warn', ['notice', 'denied:', 'failed']],
  ['info', ['notice', 'file_io', 'denied:', 'failed']],
  ['debug', ['notice', 'capsule.started', '4711', 'file_io', 'denied:', 'failed']],
])('shows the events of the log level %s', (level, shown) => {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const view = createRunView(write, createStyle({}, false), { level, asking: undefined });
  for (const event of events) view(event);
  const words = ['notice', 'capsule.started', '4711', 'file_io', 'denied:', 'failed'];
  expect(words.filter((word) => text.includes(word))).toEqual(shown);
});

it('shows notices at a level of their own, since they are no progress', () => {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const shown = { level: 'error', noticeLevel: 'info', asking: undefined } as const;
  const view = createRunView(write, createStyle({}, false), shown);
  for (const event of events) view(event);
  expect(text).toBe('! notice\n');
});

describe('a failure', () => {
  const failing: readonly CapstanEvent[] = [
    {
      type: 'tool.answered',
      ...about,
      tool: 'file_io.read',
      target: '',
      ok: false,
      message: 'No file.',
      duration_ms: 1,
    },
    {
      type: 'subtask.ended',
      ...about,
      status: 'failed',
      reason: 'subtask_failed',
      message: 'No file.',
      duration_ms: 1,
    },
  ];
  const seen = (list: readonly CapstanEvent[], level: LogLevel, hasAnswer = true) => {
    let text = '';
    const write = (more: string) => {
      text += more;
    };
    const view = createRunView(write, createStyle({}, false), {
      level,
      asking: undefined,
      hasAnswer,
    });
    for (const event of list) view(event);
    return text;
  };

  it('is explained once: by the answer, or by the end of its subtask if no answer follows', () => {
    expect(seen(failing, 'info')).toBe('  s1 · file_io.read failed\n  s1 ✗ failed 1 ms\n');
    expect(seen(failing, 'info', false)).toContain('✗ failed 1 ms: No file.\n');
    expect(seen(failing, 'debug').match(/No file\./g)).toHaveLength(2);
  });

  it('is one line if the approve mode denied a request', () => {
    const denied: readonly CapstanEvent[] = [
      { type: 'approval.asked', ...about, approval_id: 'a', kind: 'tool', question: 'Run x?' },
      { type: 'approval.decided', ...about, approval_id: 'a', answer: 'deny', by: 'approve_mode' },
      {
        type: 'intent.denied',
        ...about,
        what: 'terminal.write x',
        reason: 'denied',
        sentence: 'No.',
      },
    ];
    expect(seen(denied, 'info')).toBe('  s1 ? Run x?\n  s1 ! deny (by the approve mode): Run x?\n');
    expect(seen(denied.slice(2), 'info')).toBe('  s1 ✗ denied: terminal.write x\n');
  });
});

describe('a model that does not answer', () => {
  const model = { ...about, provider: 'openai', model: 'gpt-4o' };
  const shownOf = (event: CapstanEvent): string => {
    let text = '';
    const write = (more: string) => {
      text += more;
    };
    createRunView(write, createStyle({}, false), { level: 'warn', asking: undefined })(event);
    return text;
  };

  it('is shown with the seconds until the next try, if they are long', () => {
    const delayed = {
      type: 'model.delayed',
      ...model,
      problem: 'openai answered (429): slow',
    } as const;
    expect(shownOf({ ...delayed, wait_ms: 12_400 })).toBe(
      '! openai answered (429): slow (trying again in 12 s)\n',
    );
    expect(shownOf({ ...delayed, wait_ms: 400 })).toBe('');
  });

  it('is named once', () => {
    const used = { input_tokens: 0, output_tokens: 0, cost_usd: 0, duration_ms: 1 };
    const message = 'openai: it is away';
    const shown = shownOf({ type: 'model.answered', ...model, ok: false, message, ...used });
    expect(shown).toBe('! openai: it is away\n');
  });
});
