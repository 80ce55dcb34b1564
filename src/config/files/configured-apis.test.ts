import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadServices } from './configured-apis.ts';

let configDir: string;
beforeEach(() => {
  configDir = mkdtempSync(join(tmpdir(), 'capstan-services-'));
});
afterEach(() => rmSync(configDir, { recursive: true, force: true }));

const KEY = 'weather-key-0123456789';

function load(text: string, environment: Record<string, string> = { WEATHER_KEY: KEY }) {
  writeFileSync(join(configDir, 'services.yaml'), text);
  return loadServices({ configDir, environment, privateOrigins: ['http://127.0.0.1:9000'] });
}

const service = (fields: string) =>
  `services:\n  weather:\n    origin: https://api.example.com\n    price_usd: 0.0025\n${fields}`;

describe('services.yaml', () => {
  it('is not read if no service is used', async () => {
    const none = await loadServices({ configDir, environment: {}, privateOrigins: [] });
    expect(none).toEqual({ services: [], notices: [] });
  });

  it('names origin, credential, price, methods and paths', async () => {
    const { services, notices } = await load(
      service(
        '    auth: {header: Authorization, scheme: Bearer, env: WEATHER_KEY}\n    methods: [GET, POST]\n    paths: [/v1/**]\n',
      ),
    );
    expect(notices).toEqual([]);
    expect(services).toEqual([
      {
        name: 'weather',
        origin: 'https://api.example.com',
        credential: {
          place: { in: 'header', name: 'authorization', scheme: 'Bearer' },
          secret: KEY,
        },
        priceMicroUsd: 2_500,
        methods: ['GET', 'POST'],
        paths: ['/v1/**'],
      },
    ]);
  });

  it('allows a service only to read, on any path, by default', async () => {
    const { services } = await load(service(''));
    expect(services[0]).toMatchObject({
      credential: undefined,
      methods: ['GET', 'HEAD'],
      paths: ['/**'],
    });
  });

  it.each([
    [
      'the .env of the settings folder',
      '.env',
      `OTHER=1\nWEATHER_KEY=${KEY}\n`,
      'env: WEATHER_KEY',
    ],
    ['a key file beside it', 'weather.key', `${KEY}\n`, 'file: weather.key'],
  ])('reads the credential from %s', async (_what, name, text, from) => {
    writeFileSync(join(configDir, name), text);
    const { services } = await load(service(`    auth: {query: key, ${from}}\n`), {});
    expect(services[0]?.credential).toEqual({ place: { in: 'query', name: 'key' }, secret: KEY });
  });

  it("says that a short secret can't be hidden", async () => {
    const { notices } = await load(service('    auth: {header: x-key, env: WEATHER_KEY}\n'), {
      WEATHER_KEY: 'short',
    });
    expect(notices).toEqual([expect.stringContaining('WEATHER_KEY: a secret of less than 16')]);
  });

  it.each([
    [
      'an unknown field',
      '    pirce: 1\n',
      /yaml:5 services weather pirce: there is no such field here/,
    ],
    ['a variable that is not set', '    auth: {header: a, env: NONE}\n', /NONE is not set/],
    ['a missing file', '    auth: {header: a, file: none}\n', /none: there is no such file/],
    ['two places', '    auth: {header: a, query: b, env: A}\n', /header or query/],
    ['two sources', '    auth: {header: a, env: A, file: b}\n', /env or file/],
    ['a header of the connection', '    auth: {header: Host, env: A}\n', /connection itself/],
    ['a secret with a line break', '    auth: {header: a, env: TWO}\n', /not a single word/],
    ['an unknown method', '    methods: [TRACE]\n', /write one of GET/],
    ['a path with dots for a glob', '    paths: [v1]\n', /write a path/],
  ])('names %s', async (_what, fields, message) => {
    const environment = { TWO: 'one line\r\nx: y' };
    await expect(load(service(fields), environment)).rejects.toThrow(message);
  });

  it.each([
    ['no origin', 'https://api.example.com/v1', /scheme, host and port only/],
    ['a user in it', 'https://a:b@api.example.com', /scheme, host and port only/],
    ['no encryption', 'http://api.example.com', /unencrypted/],
    ['another scheme', 'ftp://api.example.com', /scheme, host and port only/],
  ])('refuses an origin with %s', async (_what, origin, message) => {
    const text = `services: {weather: {origin: "${origin}", price_usd: 0}}`;
    await expect(load(text)).rejects.toThrow(message);
  });

  it('allows a server that the person opened to be used without encryption', async () => {
    const { services } = await load(
      'services: {own: {origin: "http://127.0.0.1:9000", price_usd: 0}}',
    );
    expect(services[0]).toMatchObject({ origin: 'http://127.0.0.1:9000', priceMicroUsd: 0 });
  });

  it.each([
    ['openai', /name of a provider/],
    ['Weather', /lower-case words/],
    ['a/b', /lower-case words/],
  ])('refuses a service called %s', async (name, message) => {
    const text = `services: {"${name}": {origin: "https://a.example", price_usd: 0}}`;
    await expect(load(text)).rejects.toThrow(message);
  });

  it('asks for a price, since nothing is free silently', async () => {
    await expect(load('services: {a: {origin: "https://a.example"}}')).rejects.toThrow(
      /price_usd: it is missing: write what one call costs/,
    );
  });
});
