import { expect, it } from 'vitest';
import { retryAfterMs } from '../failure/failure.ts';

const noon = Date.parse('2026-01-01T12:00:00Z');

it.each([
  [{ 'retry-after-ms': '1500' }, {}, 1_500],
  [{ 'retry-after': '7' }, {}, 7_000],
  [{ 'retry-after': '0.5' }, {}, 500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 12:00:30 GMT' }, {}, 30_000],
  [{ 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, {}, 0],
  [{ 'retry-after': 'soon' }, {}, undefined],
  [{ 'retry-after': '-1' }, {}, undefined],
  [{}, { error: { details: [{ retryDelay: '34.4s' }] } }, 34_400],
  [{}, { error: { message: 'Please try again in 26.604s. Visit' } }, 26_604],
  [{}, { error: { message: 'Please try again in 644ms.' } }, 644],
  [{}, { error: { message: 'Please try again in 1m26.4s.' } }, 86_400],
  [{}, { error: { message: 'try again in 2h3m' } }, 7_380_000],
  [{}, { error: { message: 'Please retry in 48.939935699s.' } }, 48_940],
  [{}, { error: { message: 'Please try again in a while.' } }, undefined],
  [{}, 'no body to speak of', undefined],
  [{}, undefined, undefined],
])('%j with body %j means %s ms', (headers, body, expected) => {
  expect(retryAfterMs(headers, body, noon)).toBe(expected);
});
