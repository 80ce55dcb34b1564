import { expect, it } from 'vitest';
import type { CapstanEvent } from '../contract/event.ts';
import type { LogLevel } from './log-level.ts';
import { createRunView } from './run-view.ts';
import { createStyle } from './style.ts';

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
