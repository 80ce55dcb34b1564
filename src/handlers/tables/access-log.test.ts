import { describe, expect, it } from 'vitest';
import { accessColumns, endpointOf, parseAccessLine, unitOfName } from './access-log.ts';

const combined =
  '10.0.0.1 - ann [02/Mar/2026:06:00:06 +0100] "GET /a/7?q=1 HTTP/1.1" 200 512 "https://x.example/" "curl/8.5"';

const cellsOf = (line: string) => {
  const parsed = parseAccessLine(line, 3);
  return parsed && Object.fromEntries(accessColumns.map((name, at) => [name, parsed.cells[at]]));
};

describe('an access log line', () => {
  it('gives its fields', () => {
    expect(cellsOf(combined)).toEqual({
      time: '2026-03-02 06:00:06',
      client: '10.0.0.1',
      method: 'GET',
      path: '/a/7',
      endpoint: '/a/:id',
      query: 'q=1',
      status: 200,
      bytes: 512,
      referrer: 'https://x.example/',
      user_agent: 'curl/8.5',
      user: 'ann',
      line: 3,
    });
  });

  it.each([
    [
      'the common format',
      '::1 - - [02/Mar/2026:06:00:06 +0000] "GET / HTTP/1.0" 304 -',
      { bytes: null, user_agent: null },
    ],
    ['a virtual host in front', `www.example:443 ${combined}`, { client: '10.0.0.1' }],
    [
      'a broken request',
      '1.2.3.4 - - [02/Mar/2026:06:00:06 +0000] "\\x16\\x03" 400 0 "-" "-"',
      { method: null, path: null, status: 400 },
    ],
    [
      'an escaped quote in the agent',
      '1.2.3.4 - - [02/Mar/2026:06:00:06 +0000] "GET / HTTP/1.1" 200 1 "-" "a\\"b"',
      { user_agent: 'a\\"b' },
    ],
  ])('may have %s', (_what, line, fields) => {
    expect(cellsOf(line)).toMatchObject(fields);
  });

  it.each([
    '',
    'hello',
    '1.2.3.4 - - [nonsense] "GET / HTTP/1.1" 200 1',
    `${combined.slice(0, 60)}`,
    '1.2.3.4 - - [02/Xyz/2026:06:00:06 +0000] "GET / HTTP/1.1" 200 1',
  ])('is not %j', (line) => {
    expect(parseAccessLine(line, 1)).toBeUndefined();
  });

  it.each([
    [' duration_ms=132', [{ name: 'duration_ms', unit: 'ms', value: '132' }]],
    [' 132ms', [{ name: 'field_1', unit: 'ms', value: '132' }]],
    [
      ' rt=0.132 urt="0.1"',
      [
        { name: 'rt', unit: undefined, value: '0.132' },
        { name: 'urt', unit: undefined, value: '0.1' },
      ],
    ],
    [' 0.132', [{ name: 'field_1', unit: undefined, value: '0.132' }]],
  ])('has fields behind: %j', (rest, trailing) => {
    expect(parseAccessLine(combined + rest, 1)?.trailing).toEqual(trailing);
  });

  it('is told from others in linear time, however hostile', () => {
    const line = `1.2.3.4 - - [02/Mar/2026:06:00:06 +0000] "${'\\"'.repeat(200_000)}`;
    expect(parseAccessLine(line, 1)).toBeUndefined();
  });
});

describe('the endpoint of a path', () => {
  it.each([
    ['/', '/'],
    ['/api/orders', '/api/orders'],
    ['/api/orders/17', '/api/orders/:id'],
    ['/api/orders/17/items/3?x=1', '/api/orders/:id/items/:id'],
    ['/u/a8e163c6-4819-89d6-ff03-5f4390e8e635', '/u/:id'],
    ['/blob/0123456789abcdef01', '/blob/:id'],
    ['/2015/05/17/title', '/2015/05/17/title'],
    ['/users/2015', '/users/:id'],
    ['/v2/x', '/v2/x'],
    ['/images/jordan-80.png', '/images/jordan-80.png'],
  ])('%s is %s', (path, endpoint) => {
    expect(endpointOf(path)).toBe(endpoint);
  });
});

it.each([
  ['duration_ms', 'ms'],
  ['latencyMs', 'ms'],
  ['Milliseconds', 'ms'],
  ['time_s', 's'],
  ['status', undefined],
  ['address', undefined],
  ['items', undefined],
  ['s', undefined],
])('the unit that the name %s ends in is %s', (name, unit) => {
  expect(unitOfName(name)).toBe(unit);
});
