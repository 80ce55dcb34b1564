import { describe, expect, it } from 'vitest';
import { valueAt } from '../../platform/text/parse-json.ts';
import type { TrialResult } from '../trials/trial.ts';
import { CapsuleCase } from './capsule-case.ts';
import { judgeCase, keysOf } from './judge-case.ts';

const result = (changes: Partial<TrialResult> = {}): TrialResult => ({
  status: 'completed',
  error: null,
  result: { text: 'Two errors.', data: { rows: [{ count: 2 }] } },
  answer: 'Two errors.',
  steps: [
    {
      name: 'file_io.read',
      target: 'a.log',
      tool: 'file_io',
      args: { operation: 'read', path: 'a.log' },
      ok: true,
      from: 'workspace',
    },
  ],
  modelCalls: 3,
  toolCalls: 1,
  costMicroUsd: 20_000,
  approvals: [],
  reworded: 0,
  unknown: 0,
  systemPrompt: '',
  answers: [],
  files: new Map([['r.json', Buffer.from('{"n": [1]}')]]),
  durationMs: 1,
  ...changes,
});
const expected = (expect: unknown) => CapsuleCase.parse({ task: 'x', expect }).expect;

describe('a case holds', () => {
  it.each([
    [{}],
    [{ text: 'Two' }],
    [{ text: { equals: 'Two errors. ', excludes: 'three' } }],
    [{ json: [{ path: '$.data.rows[0].count', equals: 2 }] }],
    [{ files: { 'r.json': { json: [{ path: 'n[0]', equals: 1 }] }, x: { absent: true } } }],
    [{ tool_calls: [{ tool: 'file_io', operation: 'read', args: { path: 'a.log' }, times: 1 }] }],
    [{ no_tool_calls: [{ tool: 'file_io', operation: 'write' }, { tool: 'terminal' }] }],
    [{ max_steps: 3, max_tool_calls: 1, max_cost_usd: 0.02 }],
  ])('%j', (wanted) => {
    expect(judgeCase(expected(wanted), result())).toEqual([]);
  });
});

describe('a case does not hold, and says why', () => {
  it.each([
    [{ status: 'failed' }, 'it completed; it should be failed'],
    [{ text: ['Two', 'three'] }, 'the answer lacks "three"'],
    [{ text: { excludes: 'errors' } }, 'the answer has "errors"'],
    [{ json: [{ path: 'data.rows[1].count', equals: 2 }] }, 'has "nothing" at data.rows[1].count'],
    [{ json: [{ path: 'data.constructor', equals: 2 }] }, 'has "nothing" at data.constructor'],
    [{ files: { 'r.json': { absent: true } } }, 'r.json is there'],
    [{ files: { 's.md': { text: 'x' } } }, 'there is no file s.md'],
    [{ tool_calls: [{ tool: 'file_io', times: 2 }] }, 'did not call file_io 2 times, but 1'],
    [{ no_tool_calls: [{ tool: 'file_io' }] }, 'it called file_io, which it must not'],
    [{ max_steps: 2 }, '3 model calls, more than 2'],
    [{ max_tool_calls: 0 }, '1 tool calls, more than 0'],
    [{ max_cost_usd: 0.01 }, 'it cost $0.02, more than $0.01'],
  ])('%j', (wanted, problem) => {
    expect(judgeCase(expected(wanted), result()).join('\n')).toContain(problem);
  });

  it('an error is compared by its code', () => {
    const failed = { status: 'failed', error: { code: 'A', message: 'm' }, answer: 'm' } as const;
    expect(judgeCase(expected({ error: 'A' }), result(failed))).toEqual([]);
    expect(judgeCase(expected({ error: 'B' }), result(failed))).toEqual([
      'it failed with A, not with B',
    ]);
  });
});

it('the whole of a value is at $', () => {
  expect(valueAt({ a: 1 }, keysOf('$'))).toEqual({ a: 1 });
});

it('does not report a failure twice', () => {
  const error = { code: 'TOOL_FAILED', message: 'there is no a.log' };
  const failed = result({ status: 'failed', error, answer: error.message, result: null });
  expect(judgeCase(expected({ text: 'Two', json: [{ path: 'n', equals: 1 }] }), failed)).toEqual([
    'it failed (TOOL_FAILED: "there is no a.log"); it should be completed',
  ]);
});

it('shows the lines of a text as they are written in a case', () => {
  const [said] = judgeCase(expected({ text: 'Two' }), result({ answer: 'a\nb' }));
  expect(said).toBe(String.raw`the answer lacks "Two"; it is "a\nb"`);
});
