import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import { fileIo } from '../../src/tools/file-io.ts';
import { httpApi } from '../../src/tools/http-api.ts';
import { hostAndPort, parseNetworkHost } from '../../src/tools/network/network-hosts.ts';
import { sqlProblem } from '../../src/tools/sql/process/sql-guard.ts';
import { isPublicAddress } from '../../src/tools/web/addresses.ts';
import { addressesOf } from '../../src/tools/web/web-address.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch[Symbol.dispose]());

describe('the path check', () => {
  const segment = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('..', '.', '', 'a', 'b', 'in', 'door', 'up', 'loop') },
    {
      weight: 2,
      arbitrary: fc.constantFrom('secret', 'file', 'far', 'proc', 'etc', 'outside', 'self', 'new'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('~', '%2e%2e', '\\..', '...', '\u202e', ' ', 'é', 'e\u0301'),
    },
    { weight: 1, arbitrary: fc.string({ maxLength: 4 }) },
  );
  const path = fc
    .tuple(fc.constantFrom('', '/', './', '//', 'WORKSPACE/'), fc.array(segment, { maxLength: 7 }))
    .map(([start, segments]) => start.replace('WORKSPACE', scratch.workspace) + segments.join('/'))
    .filter((text) => text !== '');

  function makeTree(): void {
    const { workspace, outside } = scratch;
    mkdirSync(join(workspace, 'a/b'), { recursive: true });
    writeFileSync(join(workspace, 'file'), 'inside');
    writeFileSync(join(workspace, 'a/file'), 'inside');
    writeFileSync(join(workspace, 'a/b/file'), 'inside');
    writeFileSync(join(outside, 'secret'), 'outside');
    writeFileSync(join(outside, 'file'), 'outside');
    symlinkSync('file', join(workspace, 'in'));
    symlinkSync(outside, join(workspace, 'door'));
    symlinkSync('..', join(workspace, 'a/up'));
    symlinkSync('../..', join(workspace, 'up'));
    symlinkSync('loop', join(workspace, 'loop'));
    symlinkSync(join(outside, 'secret'), join(workspace, 'a/secret'));
    symlinkSync('/proc', join(workspace, 'proc'));
    symlinkSync('../../outside', join(workspace, 'a/b/far'));
  }

  const needed = {
    write: { content: 'changed' },
    append: { content: 'changed' },
    edit: { old_text: 'outside', new_text: 'changed', replace_all: true },
    list: { recursive: true },
    search: { pattern: 'outside' },
  } as const;

  const quietly = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return undefined;
    });

  it(
    'reads nothing outside, and shows no path that leads there',
    async () => {
      makeTree();
      await fc.assert(
        fc.asyncProperty(path, async (given) => {
          const args = { operation: 'read', path: given };
          const read = (await quietly(scratch.ask(fileIo, args))) as
            | { content: string; path: string }
            | undefined;
          if (read === undefined) return;
          expect(read.content).toBe('inside');
          expect(read.path).not.toMatch(/^\/|(^|\/)\.\.(\/|$)/);
        }),
        fuzz(1_500),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'lists and writes nothing outside',
    async () => {
      makeTree();
      const { outside, workspace } = scratch;
      const state = () =>
        readdirSync(outside).map((name) => [name, readFileSync(join(outside, name), 'utf8')]);
      const before = state();
      const parent = readdirSync(join(workspace, '..'));
      await fc.assert(
        fc.asyncProperty(
          path,
          fc.constantFrom(
            'write' as const,
            'append' as const,
            'edit' as const,
            'list' as const,
            'search' as const,
          ),
          async (given, operation) => {
            const args = { operation, path: given, ...needed[operation] };
            const result = await quietly(scratch.ask(fileIo, args));
            expect(state()).toEqual(before);
            expect(readdirSync(join(workspace, '..'))).toEqual(parent);
            const { matches = [] } = (result ?? {}) as { matches?: { path: string }[] };
            expect(matches).toEqual([]);
          },
        ),
        fuzz(600),
      );
    },
    FUZZ_TIMEOUT_MS,
  );
});

describe('the address check', () => {
  /** A part of an address as some programs write it. */
  const part = (value: number) =>
    fc.constantFrom(String(value), `0x${value.toString(16)}`, `0${value.toString(8)}`);
  const inAnyForm = (address: string) => {
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    const joined = (...values: number[]) =>
      fc.tuple(...values.map(part)).map((parts) => parts.join('.'));
    const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    return fc.oneof(
      joined(a, b, c, d),
      joined(a, b, (c << 8) | d),
      joined(a, (b << 16) | (c << 8) | d),
      joined(whole),
      fc.constantFrom(
        `[::ffff:${address}]`,
        `[::ffff:${hex}]`,
        `[64:ff9b::${hex}]`,
        `[2002:${hex}::]`,
        `${address}.`,
        address.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
      ),
    );
  };
  const call = () => ({ tool: 'http_api', context: scratch.context() });

  it(
    'decides about an address in any notation as about the address',
    async () => {
      const address = fc.oneof(
        fc.ipV4(),
        fc.constantFrom('127.0.0.1', '169.254.169.254', '10.0.0.1', '0.0.0.0', '8.8.8.8'),
      );
      const pair = address.chain((plain) =>
        inAnyForm(plain).map((written) => ({ plain, written })),
      );
      await fc.assert(
        fc.asyncProperty(pair, async ({ plain, written }) => {
          const url = `http://${written}/`;
          fc.pre(URL.canParse(url));
          const dialled = await addressesOf(new URL(url), call()).catch(() => undefined);
          expect(dialled !== undefined, url).toBe(isPublicAddress(plain, []));
        }),
        fuzz(3_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'allows in IPv6 only 2000::/3 and forms of a public IPv4 address',
    () => {
      fc.assert(
        fc.property(fc.ipV6(), (address) => {
          if (!isPublicAddress(address, [])) return;
          expect(new URL(`http://[${address}]/`).hostname).toMatch(
            /^\[([23][0-9a-f]{3}:|::ffff:|64:ff9b::)/,
          );
        }),
        fuzz(5_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'accepts as the host of a command only a host and a port',
    () => {
      const text = fc
        .array(
          fc.constantFrom(
            ...['example.com', 'EXAMPLE.com.', '127.1', '0x7f000001', '[::1]', '*', 'bücher.de'],
            ...[':80', ':443', ':8080', ':', '/', '@', '#', '?', '\\', '%2e', '\n', ' ', 'a', '.'],
          ),
          { maxLength: 5 },
        )
        .map((parts) => parts.join(''));
      fc.assert(
        fc.property(fc.oneof(text, fc.string()), (written) => {
          const url = parseNetworkHost(written);
          if (url === undefined) return;
          const { pathname, search, hash, username, password } = url;
          expect({ pathname, search, hash, username, password }).toEqual({
            ...{ pathname: '/', search: '', hash: '', username: '', password: '' },
          });
          expect(parseNetworkHost(url.host)?.host).toBe(url.host);
          expect(hostAndPort(url)).toMatch(/^[^\s/@*]+:\d{1,5}$/);
        }),
        fuzz(3_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'accepts only http addresses without a user, and no header that could be read as two',
    () => {
      const text = fc.oneof(
        fc.webUrl(),
        fc
          .array(
            fc.constantFrom(
              ...['http:', 'https:', 'file:', 'javascript:', '//', '@', ':', '/', '\\', '#', '?'],
              ...['a', 'example.com', '\r\n', '\0', '[::1]', '%00', 'user', '\t', ' '],
            ),
            { maxLength: 8 },
          )
          .map((parts) => parts.join('')),
      );
      const header = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.constantFrom('a\r\nb: c', 'Host', 'x-a', 'Transfer-Encoding', 'content-length', 'a b'),
      );
      fc.assert(
        fc.property(text, header, header, (url, name, value) => {
          let prepared: ReturnType<typeof httpApi.prepare>;
          try {
            prepared = httpApi.prepare({ url, headers: { [name]: value } });
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
            return;
          }
          const { url: asked } = prepared.operation;
          expect(asked?.protocol).toMatch(/^https?:$/);
          expect(`${asked?.username}${asked?.password}`).toBe('');
          expect(asked?.hostname).not.toBe('');
          if (Object.hasOwn({ [name]: value }, '__proto__') || name === '__proto__') return;
          expect(`${name}${value}`).not.toMatch(/[\r\n\0]/);
          expect(name).not.toMatch(/^(host|transfer-encoding|content-length|connection)$/i);
        }),
        fuzz(4_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );
});

describe('the SQL guard', () => {
  const word = fc.constantFrom(
    ...['SELECT', 'WITH', 'VALUES', 'EXPLAIN', 'AS', 'FROM', 'WHERE', 'UNION', 'ALL', 'LIMIT 3'],
    ...[
      'INSERT INTO t VALUES (9)',
      'DELETE FROM t',
      'UPDATE t SET a = 7',
      'RETURNING a',
      'REPLACE',
    ],
    ...['DROP TABLE t', 'CREATE TABLE n(a)', 'CREATE TEMP TABLE n(a)', 'VACUUM', 'VACUUM INTO'],
    ...["ATTACH 'x.db' AS o", "ATTACH DATABASE ':memory:' AS m", 'DETACH o', 'REINDEX', 'ANALYZE'],
    ...[
      'PRAGMA user_version = 9',
      'pragma_table_info(t)',
      '"pragma_database_list"',
      'BEGIN',
      'END',
    ],
    ...["load_extension('x')", '[PRAGMA_user_version]', '`attach`', 'SAVEPOINT s', 'COMMIT'],
    ...['t', 'v', 'a', '*', ',', '(', ')', '1', "'x'", "';'", '"a"', '[a]', '`a`', '=', ';', '; '],
    ...['--', '-- \n', '/*', '*/', '/* ; */', "'", '"', '\n', '\t', '\0', 'x AS (SELECT 1)', '$1'],
    ...["writefile('x', 'y')", 'randomblob(3)', 'total_changes()', "'x.db'", 'EXPLAIN QUERY PLAN'],
  );
  const free = fc.array(word, { maxLength: 10 }).map((words) => words.join(' '));
  /** A valid statement with something before, within or after it. */
  const near = fc
    .tuple(
      fc.constantFrom('', '/* */ ', '-- x\n', 'EXPLAIN ', 'WITH x AS (SELECT 1) ', ';', '\ufeff'),
      fc.constantFrom(
        ...['SELECT a FROM t', 'VALUES (1)', 'DELETE FROM t RETURNING a', 'SELECT * FROM v'],
        ...['INSERT INTO t VALUES (9) RETURNING a', 'UPDATE t SET a = 7 RETURNING a'],
        ...["VACUUM INTO 'x.db'", "ATTACH 'x.db' AS o", 'PRAGMA user_version = 9', 'DROP TABLE t'],
      ),
      free,
    )
    .map((parts) => parts.join(''));

  /** As the child process of a query does it. */
  function isAnswered(db: Database.Database, sql: string): boolean {
    try {
      const statement = db.prepare(sql);
      if (!statement.reader || !statement.readonly) return false;
      statement.all();
      return true;
    } catch {
      return false;
    }
  }

  it(
    'accepts no statement that writes, attaches, or sets anything, on a writable database',
    () => {
      const file = join(scratch.workspace, 'a.db');
      const db = new Database(file);
      db.exec('CREATE TABLE t(a); INSERT INTO t VALUES (1), (2); CREATE VIEW v AS SELECT a FROM t');
      const before = readFileSync(file);
      const { mtimeMs } = statSync(file);
      let taken = 0;
      try {
        fc.assert(
          fc.property(fc.oneof(free, near), (sql) => {
            if (sqlProblem(sql) !== undefined || !isAnswered(db, sql)) return;
            taken += 1;
            expect(readdirSync(scratch.workspace)).toEqual(['a.db']);
            expect(statSync(file).mtimeMs).toBe(mtimeMs);
            expect(db.pragma('database_list')).toHaveLength(1);
            expect(db.inTransaction).toBe(false);
          }),
          fuzz(6_000),
        );
        expect(readFileSync(file).equals(before)).toBe(true);
        expect(taken).toBeGreaterThan(0);
      } finally {
        db.close();
        rmSync(file, { force: true });
      }
    },
    FUZZ_TIMEOUT_MS,
  );
});
