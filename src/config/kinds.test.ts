import { describe, expect, it } from 'vitest';
import {
  bytes,
  count,
  dollars,
  hosts,
  type Kind,
  key,
  ollamaUrl,
  origins,
  paths,
  proxyUrl,
  type Raw,
  seconds,
  url,
  words,
} from './kinds.ts';

const read = (kind: Kind<unknown>, raw: Raw): unknown => kind.read(raw);

const range = { min: 1, max: 10 };
const size = bytes({ min: 0, max: 1024 ** 3 });

describe('a value', () => {
  it.each<[string, Kind<unknown>, Raw, unknown]>([
    ['of seconds, in milliseconds', seconds(range), '1.5', 1_500],
    ['of dollars, in micro-dollars, exactly', dollars({ min: 0, max: 10 }), '0.29', 290_000],
    ['of dollars, to the last micro-dollar', dollars({ min: 0, max: 10 }), '0.000001', 1],
    ['at the end of its range', count(range), '10', 10],
    ['of bytes', size, '4096', 4_096],
    ['of bytes with a unit', size, '2KiB', 2_048],
    ['of bytes with a unit and a space', size, '3 MiB', 3 * 1024 ** 2],
    [
      'of an address, without the last slash',
      url,
      'https://API.example/v1/',
      'https://api.example/v1',
    ],
    ['of Ollama, as a host', ollamaUrl, 'box', 'http://box:11434'],
    ['of Ollama, as a host and port', ollamaUrl, '127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['of Ollama, as a port', ollamaUrl, ':9000', 'http://127.0.0.1:9000'],
    ['of Ollama, as what it listens on', ollamaUrl, '[::]:9000', 'http://[::1]:9000'],
    ['of Ollama, as an address', ollamaUrl, 'https://box/ollama/', 'https://box/ollama'],
    ['of a proxy with a password', proxyUrl, 'http://me:pw@proxy:8080', 'http://me:pw@proxy:8080'],
    ['of a proxy without a scheme', proxyUrl, 'proxy:8080', 'http://proxy:8080'],
    [
      'of hosts in one line',
      hosts,
      'a.com, *.B.org  c.net:8080',
      ['a.com', '*.b.org', 'c.net:8080'],
    ],
    ['of hosts in a list', hosts, ['a.com', 'localhost'], ['a.com', 'localhost']],
    [
      'of origins',
      origins,
      'http://127.0.0.1:80/ http://[::1]:3000',
      ['http://127.0.0.1', 'http://[::1]:3000'],
    ],
    ['of paths, as in PATH', paths, '/a b:~/c', ['/a b', '~/c']],
    ['of paths in a list, which may hold a colon', paths, ['/a:b'], ['/a:b']],
    ['of words', words, 'localhost,.corp', ['localhost', '.corp']],
  ])('%s', (_what, kind, raw, value) => {
    expect(read(kind, raw)).toEqual(value);
  });

  it.each<[string, Kind<unknown>, Raw]>([
    ['below its range', count(range), '0'],
    ['above its range', seconds(range), '10.001'],
    ['that is a fraction where whole ones count', count(range), '1.5'],
    ['in another notation', count(range), '0x2'],
    ['with an exponent', dollars({ min: 0, max: 10 }), '1e0'],
    ['with a sign of money', dollars({ min: 0, max: 10 }), '$1'],
    ['finer than a micro-dollar', dollars({ min: 0, max: 10 }), '0.0000001'],
    ['of digits without end', count({ min: 1, max: Number.MAX_VALUE }), '9'.repeat(400)],
    ['of bytes with another unit', size, '4 MB'],
    ['of another scheme', url, 'file:///etc/passwd'],
    ['of an address with a password', url, 'https://me:pw@api.example'],
    ['of an address with a query', url, 'https://api.example/?key=1'],
    ['of a proxy that is one word', proxyUrl, 'foo'],
    ['of every host', hosts, '*'],
    ['of a host with a path', hosts, 'a.com/x'],
    ['of a host with a scheme', hosts, 'https://a.com'],
    ['of an origin with a path', origins, 'http://127.0.0.1:80/x'],
    ['of an origin with a pattern', origins, 'http://*.local:80'],
    ['of a key with a space', key, 'sk 1'],
    ['of a key with other letters than ASCII', key, 'schlüssel'],
    ['of a list where one value belongs', count(range), ['1']],
  ])('%s is refused', (_what, kind, raw) => {
    expect(read(kind, raw)).toBeUndefined();
  });
});
