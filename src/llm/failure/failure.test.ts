import { describe, expect, it } from 'vitest';
import { HttpFailure } from '../http/http.ts';
import { type Asked, rejectionError, transportError } from './failure.ts';

const asked: Asked = {
  provider: 'openai',
  origin: 'https://api.test',
  apiKey: 'sk-secret-0123456789',
  keyName: 'OPENAI_API_KEY',
};
const reject = (status: number | undefined, body: unknown, headers = {}) =>
  rejectionError(asked, { status, headers, body });

describe('rejectionError', () => {
  it.each([
    [401, { error: { message: 'Incorrect API key' } }, 'auth', false],
    [403, { error: { message: 'Country not supported' } }, 'auth', false],
    [
      400,
      { error: { status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } },
      'auth',
      false,
    ],
    [400, { error: { message: 'API key not valid. Please pass a valid API key.' } }, 'auth', false],
    [429, { error: { code: 'insufficient_quota', message: 'x' } }, 'quota', false],
    [402, { error: { message: 'Insufficient Balance' } }, 'quota', false],
    [
      400,
      { error: { message: 'Your credit balance is too low to access the API.' } },
      'quota',
      false,
    ],
    [
      429,
      { error: { details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProject' }] }] } },
      'quota',
      false,
    ],
    [
      429,
      { error: { message: 'Request too large for gpt-4o on tokens per min' } },
      'too_large',
      false,
    ],
    [413, {}, 'too_large', false],
    [400, { error: { code: 'context_length_exceeded' } }, 'too_large', false],
    [400, { error: { message: 'prompt is too long: 3 tokens > 2 maximum' } }, 'too_large', false],
    [
      429,
      {
        error: {
          message: 'The input token count (5) exceeds the maximum number of tokens allowed (4).',
        },
      },
      'too_large',
      false,
    ],
    [
      400,
      { error: { code: 'tool_use_failed', message: 'Failed to call a function.' } },
      'malformed',
      true,
    ],
    [404, { error: 'model "x" not found' }, 'not_found', false],
    [429, { error: { type: 'rate_limit_error', message: 'slow' } }, 'rate_limit', true],
    [529, { error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded', true],
    [503, 'upstream is gone', 'overloaded', true],
    [408, {}, 'timeout', true],
    [504, '<html>Gateway Time-out</html>', 'timeout', true],
    [500, { error: { message: 'oops' } }, 'server', true],
    [409, {}, 'server', true],
    [400, { error: { message: 'bad' } }, 'bad_request', false],
    [422, { detail: [{ msg: 'field required' }] }, 'bad_request', false],
    [302, '', 'bad_request', false],
    [
      undefined,
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      'overloaded',
      true,
    ],
    [
      undefined,
      { error: { type: 'insufficient_quota', code: 'insufficient_quota' } },
      'quota',
      false,
    ],
    [undefined, { error: { code: 503, message: 'try later' } }, 'overloaded', true],
    [undefined, { error: { message: 'something broke' } }, 'server', true],
    [
      400,
      [{ error: { code: 400, message: 'a list, as Gemini sends it for streams' } }],
      'bad_request',
      false,
    ],
    [500, null, 'server', true],
  ] as const)('%s with %j is %s (retryable: %s)', (status, body, problem, retryable) => {
    expect(reject(status, body)).toMatchObject({ problem, retryable });
  });

  it('follows a vendor that says whether to retry', () => {
    expect(reject(400, {}, { 'x-should-retry': 'true' }).retryable).toBe(true);
    expect(reject(500, {}, { 'x-should-retry': 'false' }).retryable).toBe(false);
  });

  it('never repeats the key, says where to set it, and keeps the message short and on one line', () => {
    const auth = reject(401, { error: { message: 'Incorrect: sk-secret-0123456789' } });
    expect(auth.message).toBe(
      'https://api.test rejected the API key (401): Incorrect: [key]. Check OPENAI_API_KEY.',
    );
    const other = reject(400, {
      error: { message: `a\u001b[2J\n\u202ekey sk-secret-0123456789 ${'x'.repeat(9_000)}` },
    });
    expect(other.message).not.toContain('sk-secret');
    expect(other.message).toMatch(/^https:\/\/api\.test answered \(400\): a \[2J key \[key\] x+…$/);
    expect(other.message.length).toBeLessThan(700);
  });

  it('says that a redirect is not followed', () => {
    expect(reject(301, '').message).toMatch(/redirect.*not followed.*base URL/);
  });
});

describe('transportError', () => {
  it.each([
    [new HttpFailure('timeout', 'slow.'), 'timeout', true],
    [new HttpFailure('too_large', 'big.'), 'malformed', true],
    [new HttpFailure('network', 'gone.', 'ECONNRESET'), 'network', true],
    [new HttpFailure('network', 'no.', 'ECONNREFUSED'), 'network', true],
    [new HttpFailure('network', 'where?', 'ENOTFOUND'), 'network', false],
    [new HttpFailure('network', 'who?', 'SELF_SIGNED_CERT_IN_CHAIN'), 'network', false],
    [new DOMException('The time is up.', 'TimeoutError'), 'timeout', true],
  ] as const)('%s is %s (retryable: %s)', (error, problem, retryable) => {
    expect(transportError(asked, error)).toMatchObject({ problem, retryable });
  });

  it('passes on the reason of an abort', () => {
    const reason = new Error('cancelled');
    expect(transportError(asked, reason)).toBe(reason);
  });
});
