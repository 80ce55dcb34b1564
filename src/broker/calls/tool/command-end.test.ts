import { expect, it } from 'vitest';
import { createRedactor } from '../../../policy/secrets/redact.ts';
import { commandEnd } from './command-end.ts';

const secret = 'sk-0123456789abcdef0123';
const endOf = (result: object) => commandEnd(result, createRedactor([secret]));

it('has the last lines of a command that failed, those of stderr last', () => {
  const stdout = 'one\ntwo\nthree\n\n';
  expect(endOf({ exit_code: 3, signal: null, stdout, stderr: 'error: 3 problems\n' })).toEqual({
    exit_code: 3,
    output_end: ['two', 'three', 'error: 3 problems'],
  });
  expect(endOf({ exit_code: null, signal: 'SIGKILL', stdout: '', stderr: '' })).toEqual({
    signal: 'SIGKILL',
    output_end: [],
  });
  expect(endOf({ exit_code: 0, signal: null, stdout, stderr: '' })).toEqual({ exit_code: 0 });
});

it('has the last state of a progress meter, without colours', () => {
  const stderr = '  0 %\r 50 %\r100 %\r\n\u001b[31mcurl\u001b[0m: (28) timed out\n';
  expect(endOf({ exit_code: 28, stderr }).output_end).toEqual([
    ' 50 %',
    '100 %',
    'curl: (28) timed out',
  ]);
});

it('has at most 200 characters of a line, and no part of a secret', () => {
  const { output_end } = endOf({ exit_code: 1, stderr: `${'x'.repeat(190)}${secret}\n` });
  expect(output_end).toEqual([expect.stringMatching(/^x{190}\[secret re$/)]);
});
