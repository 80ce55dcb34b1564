import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../test/setup/tool-scratch.ts';
import { failedWith } from '../contract/errors.ts';
import { sha256 } from '../platform/text/canonical-hash.ts';
import { fileIo } from './file-io.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch[Symbol.dispose]());

const file = <T = Record<string, unknown>>(args: object, changes = {}) =>
  scratch.ask<T>(fileIo, args, changes);

/** Until a file that was just written counts as unchanged. */
const longAgo = () => new Promise((resolve) => setTimeout(resolve, 150));

/** A thread that makes a link lead to one target and then to the other, over and over. */
const flipForEver = `
  const { renameSync, symlinkSync } = require('node:fs');
  const { link, targets } = require('node:worker_threads').workerData;
  for (let at = 0; ; at++) {
    symlinkSync(targets[at % 2], link + '.new');
    renameSync(link + '.new', link);
  }`;

describe('file_io read', () => {
  it('returns a file in full, with its size and its state for the record', async () => {
    scratch.put('a.txt', '\ufeffGrüße\n');
    const output = await scratch.call(fileIo, { operation: 'read', path: 'a.txt' });
    expect(output.result).toEqual({
      path: 'a.txt',
      content: 'Grüße\n',
      encoding: 'utf-8',
      bytes: 11,
      truncated: false,
    });
    expect(output.read).toEqual([
      {
        path: join(scratch.workspace, 'a.txt'),
        bytes: 11,
        sha256: sha256(Buffer.from('\ufeffGrüße\n')),
      },
    ]);
  });

  it.each([
    ['no UTF-8', Buffer.from('gr\xfcn\n', 'latin1'), 'gr\ufffdn\n', 'unknown'],
    ['UTF-8 with such a character in it', Buffer.from('a\ufffd\n'), 'a\ufffd\n', 'utf-8'],
  ])('reports that a text is %s', async (_what, bytes, content, encoding) => {
    scratch.put('text', bytes);
    expect(await file({ operation: 'read', path: 'text' })).toMatchObject({ content, encoding });
  });

  it('says where to continue, so that reading on returns every line exactly once', async () => {
    const lines = Array.from({ length: 500 }, (_, at) => `line ${at} – ${'x'.repeat(at % 40)}\n`);
    scratch.put('long.txt', lines.join(''));
    await longAgo();
    let content = '';
    let from: number | undefined = 1;
    while (from !== undefined) {
      const part: { content: string; next_line?: number } = await file({
        operation: 'read',
        path: 'long.txt',
        from_line: from,
        max_bytes: 700,
      });
      content += part.content;
      from = part.next_line;
    }
    expect(content).toBe(lines.join(''));
  });

  it('continues after a truncated line', async () => {
    scratch.put('cut.txt', `${'x'.repeat(600_000)}\nshort\n`);
    await longAgo();
    const part = (from_line: number) =>
      file({ operation: 'read', path: 'cut.txt', from_line, max_bytes: 10 });
    for (let round = 0; round < 2; round += 1) {
      expect(await part(1)).toMatchObject({ content: 'xxxxxxxxxx', next_line: 2, line_cut: true });
      expect(await part(2)).toMatchObject({ content: 'short\n', truncated: false });
    }
  });

  it('returns any text in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (parts, maxLines) => {
          const text = parts.map((part) => part.replaceAll('\0', '')).join('\n');
          scratch.put('any.txt', `.${text}`);
          let content = '';
          for (let from: number | undefined = 1; from !== undefined; ) {
            const part: { content: string; next_line?: number } = await file({
              operation: 'read',
              path: 'any.txt',
              from_line: from,
              max_lines: maxLines,
            });
            content += part.content;
            from = part.next_line;
          }
          expect(content).toBe(Buffer.from(`.${text}`).toString('utf8'));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('reads on in a file that it knows, and notices when it is another one', async () => {
    const path = scratch.put('long.txt', 'one\ntwo\nthree\nfour\n');
    const part = (from_line: number) =>
      file({ operation: 'read', path: 'long.txt', from_line, max_lines: 1 });
    utimesSync(path, 1, 1);
    await longAgo();
    expect(await part(1)).toMatchObject({ content: 'one\n', next_line: 2 });
    const known = await scratch.call(fileIo, { operation: 'read', path: 'long.txt', from_line: 2 });
    expect(known.result).toEqual({
      path: 'long.txt',
      content: 'two\nthree\nfour\n',
      encoding: 'utf-8',
      bytes: 19,
      from_line: 2,
      truncated: false,
    });
    expect(known.read?.[0]?.sha256).toBe(sha256(Buffer.from('one\ntwo\nthree\nfour\n')));
    await part(1);
    writeFileSync(path, 'ONE\nTWO\nTHREE\nFOUR\n');
    utimesSync(path, 1, 1);
    expect(await part(2)).toMatchObject({ content: 'TWO\n', next_line: 3 });
  });

  it('shows the beginning and the end of a file that is too long for a result', async () => {
    const text = Array.from({ length: 2_000 }, (_, i) => `line ${i + 1} ü\n`).join('');
    scratch.put('big.txt', text);
    const { result } = await scratch.call(
      fileIo,
      { operation: 'read', path: 'big.txt' },
      { maxOutputBytes: 4_000 },
    );
    const shown = result as {
      content: string;
      next_line: number;
      tail: { from_line: number; content: string };
    };
    expect(Object.keys(shown).slice(-2)).toEqual(['content', 'tail']);
    expect(result).toMatchObject({ bytes: Buffer.byteLength(text), lines: 2_000, truncated: true });
    expect(shown.content.endsWith(`line ${shown.next_line - 1} ü\n`)).toBe(true);
    expect(shown.tail.content.startsWith(`line ${shown.tail.from_line} ü\n`)).toBe(true);
    expect(shown.tail.content.endsWith('line 2000 ü\n')).toBe(true);
    const bytes = Buffer.byteLength(shown.content + shown.tail.content);
    expect(bytes).toBeGreaterThan(3_900);
    expect(bytes).toBeLessThanOrEqual(4_000);
    const next = await scratch.call(
      fileIo,
      { operation: 'read', path: 'big.txt', from_line: shown.next_line },
      { maxOutputBytes: 4_000 },
    );
    expect(next.result).toMatchObject({
      content: expect.stringMatching(new RegExp(`^line ${shown.next_line} ü\\n`)),
    });
    expect(next.result).not.toHaveProperty('tail');
  });

  it('shows both ends of a single long line', async () => {
    scratch.put('wide.json', `[${'1,'.repeat(5_000)}2]`);
    const { result } = await scratch.call(
      fileIo,
      { operation: 'read', path: 'wide.json' },
      { maxOutputBytes: 400 },
    );
    expect(result).toMatchObject({
      truncated: true,
      line_cut: true,
      content: expect.stringMatching(/^\[1,/),
      tail: { from_line: 1, content: expect.stringMatching(/1,2\]$/) },
    });
  });

  it('truncates a long line at a whole character, and says so', async () => {
    scratch.put('wide.txt', `${'ü'.repeat(100)}\nnext\n`);
    expect(await file({ operation: 'read', path: 'wide.txt', max_bytes: 51 })).toEqual({
      path: 'wide.txt',
      content: 'ü'.repeat(25),
      encoding: 'utf-8',
      bytes: 206,
      from_line: 1,
      next_line: 2,
      truncated: true,
      line_cut: true,
    });
  });

  it.each([
    ['a missing file', 'missing.txt', /No file `missing.txt`/],
    ['a folder', '.', /is a folder/],
    ['a line behind the end', 'a.txt', /has no line 9: it ends after 1/],
    ['a binary file', 'b.bin', /is not text/],
    ['a path with a NUL', 'a\0.txt', /NUL/],
  ])('reports %s', async (_what, path, message) => {
    scratch.put('a.txt', 'one\n');
    scratch.put('b.bin', Buffer.from([1, 0, 2]));
    const from_line = path === 'a.txt' ? 9 : 1;
    await expect(file({ operation: 'read', path, from_line })).rejects.toThrow(message);
  });
});

describe('file_io and a path that does not exist', () => {
  const read = (path: string, changes = {}) =>
    scratch.ask(fileIo, { operation: 'read', path }, changes).catch((error) => error.message);

  it.each([
    ['oders.csv', 'No file `oders.csv`. Did you mean `orders.csv`?'],
    ['ORDERS.csv', 'No file `ORDERS.csv`. Did you mean `orders.csv`?'],
    ['dta/a.txt', 'No file `dta/a.txt`. Did you mean `data/a.txt`?'],
    ['data/b.txt', 'No file `data/b.txt`. Did you mean `data/a.txt`?'],
    ['poem.md', 'No file `poem.md` in the workspace.'],
    ['ssecret.txt', 'No file `ssecret.txt` in the workspace.'],
    ['.evn', 'No file `.evn` in the workspace.'],
  ])('suggests for %s only what the capsule may read', async (path, message) => {
    for (const name of ['orders.csv', 'data/a.txt', 'secret.txt', '.env']) scratch.put(name, 'x');
    const isProtected = (one: string) => one.endsWith('.env');
    const isGranted = (one: string) => !one.includes('/secret');
    expect(await read(path, { isProtected, isGranted })).toBe(message);
  });

  it('suggests a folder for a folder', async () => {
    scratch.put('docs/a.md', 'x');
    const listed = scratch.ask(fileIo, { operation: 'list', path: 'docz' });
    await expect(listed).rejects.toThrow('No folder `docz`. Did you mean `docs`?');
  });
});

describe('file_io and paths that lead elsewhere', () => {
  it('explains that "~" is not expanded, and accepts a folder of that name', async () => {
    for (const path of ['~', '~/notes.txt'])
      for (const operation of ['read', 'list'])
        await expect(scratch.ask(fileIo, { operation, path })).rejects.toThrow(
          '"~" is not expanded: write the path relative to the workspace.',
        );
    scratch.put('~/notes.txt', 'x');
    scratch.put('~a', 'y');
    for (const path of ['./~/notes.txt', '~a'])
      expect(await file({ operation: 'read', path })).toMatchObject({ bytes: 1 });
  });

  it.each([
    ['dots', '../outside/secret'],
    ['dots behind a folder', 'folder/../../outside/secret'],
    ['an absolute path', '/etc/passwd'],
    ['the home folder', '~/secret'],
    ['a link to a file', 'link'],
    ['a link to a folder', 'door/secret'],
    ['a link to the environment of a process', 'environ'],
    ['the environment of a process', '/proc/self/environ'],
  ])('reads nothing through %s', async (_what, path) => {
    mkdirSync(join(scratch.workspace, 'folder'));
    writeFileSync(join(scratch.outside, 'secret'), 'secret');
    symlinkSync(join(scratch.outside, 'secret'), join(scratch.workspace, 'link'));
    symlinkSync(scratch.outside, join(scratch.workspace, 'door'));
    symlinkSync('/proc/self/environ', join(scratch.workspace, 'environ'));
    await expect(file({ operation: 'read', path })).rejects.toSatisfy((error) =>
      failedWith(error, 'PATH_OUTSIDE_ROOTS'),
    );
  });

  it('follows a link within the workspace, and checks its target', async () => {
    scratch.put('real/.env', 'KEY=1');
    scratch.put('real/plain', 'text');
    symlinkSync('real/.env', join(scratch.workspace, 'innocent'));
    symlinkSync('real/plain', join(scratch.workspace, 'short'));
    const isProtected = (path: string) => path.endsWith('.env');
    const isGranted = (path: string) => !path.endsWith('plain');
    expect(await file({ operation: 'read', path: 'short' })).toMatchObject({ path: 'real/plain' });
    await expect(file({ operation: 'read', path: 'innocent' }, { isProtected })).rejects.toSatisfy(
      (error) => failedWith(error, 'PATH_PROTECTED'),
    );
    await expect(file({ operation: 'read', path: 'short' }, { isGranted })).rejects.toSatisfy(
      (error) => failedWith(error, 'PATH_NOT_GRANTED'),
    );
  });

  it('never leaks through a link that is swapped while it reads', async () => {
    writeFileSync(join(scratch.outside, 'secret'), 'secret');
    scratch.put('good', 'good');
    const link = join(scratch.workspace, 'flip');
    const targets = ['good', join(scratch.outside, 'secret')];
    symlinkSync('good', link);
    const flipping = new Worker(flipForEver, { eval: true, workerData: { link, targets } });
    await once(flipping, 'online');
    const seen = new Set<string>();
    for (let at = 0; at < 400; at += 1) {
      const read = await file<{ content: string }>({ operation: 'read', path: 'flip' }).catch(
        () => undefined,
      );
      if (read) seen.add(read.content);
    }
    await flipping.terminate();
    expect([...seen]).toEqual(['good']);
  });

  it.skipIf(process.platform === 'win32')(
    'neither waits for a pipe nor reads or replaces it',
    async () => {
      execFileSync('mkfifo', [join(scratch.workspace, 'pipe')]);
      await expect(file({ operation: 'read', path: 'pipe' })).rejects.toThrow(/not a regular file/);
      await expect(file({ operation: 'write', path: 'pipe', content: '' })).rejects.toThrow(
        /not a regular file/,
      );
      await expect(file({ operation: 'append', path: 'pipe', content: '' })).rejects.toThrow(
        /not a regular file/,
      );
    },
  );

  it.skipIf(process.platform === 'win32')('neither reads nor replaces a socket', async () => {
    const server = createServer().listen(join(scratch.workspace, 'socket'));
    await once(server, 'listening');
    for (const args of [{ operation: 'read' }, { operation: 'write', content: '' }]) {
      await expect(file({ ...args, path: 'socket' })).rejects.toThrow(/not a regular file/);
    }
    server.close();
  });

  it.each(['write', 'append', 'edit'])(
    'never changes a file with a second name by %s',
    async (operation) => {
      writeFileSync(join(scratch.outside, 'twin'), 'old');
      linkSync(join(scratch.outside, 'twin'), join(scratch.workspace, 'twin'));
      const args = { operation, path: 'twin', content: 'x', old_text: 'old', new_text: 'new' };
      await expect(file(args)).rejects.toThrow(/hard link/);
      expect(readFileSync(join(scratch.outside, 'twin'), 'utf8')).toBe('old');
    },
  );

  it.each([
    ['through a link to a folder', 'door/new.txt'],
    ['through a link to a folder, deeper', 'door/a/b.txt'],
    ['by dots', '../outside/new.txt'],
  ])('writes nothing outside %s', async (_how, path) => {
    symlinkSync(scratch.outside, join(scratch.workspace, 'door'));
    await expect(file({ operation: 'write', path, content: 'x' })).rejects.toSatisfy((error) =>
      failedWith(error, 'PATH_OUTSIDE_ROOTS'),
    );
    expect(readdirSync(scratch.outside)).toEqual([]);
  });

  it('does not replace a link', async () => {
    scratch.put('real', 'old');
    symlinkSync('real', join(scratch.workspace, 'link'));
    await expect(file({ operation: 'write', path: 'link', content: 'x' })).rejects.toThrow(
      /symbolic link/,
    );
  });

  it('makes no folder that is protected from writing', async () => {
    const isProtected = (path: string, access: string) =>
      access === 'write' && path.includes('/.git/hooks');
    const args = { operation: 'write', path: '.git/hooks/pre-commit', content: 'x' };
    await expect(file(args, { isProtected })).rejects.toSatisfy((error) =>
      failedWith(error, 'PATH_PROTECTED'),
    );
    expect(readdirSync(scratch.workspace)).toEqual([]);
  });
});

describe('file_io write, append and edit', () => {
  it('creates a file and its parent folders, and leaves no other files', async () => {
    const output = await scratch.call(fileIo, {
      operation: 'write',
      path: 'reports/2026/report.md',
      content: '# Grüße\n',
    });
    const state = { bytes: 10, sha256: sha256(Buffer.from('# Grüße\n')) };
    expect(output.result).toEqual({ path: 'reports/2026/report.md', ...state, created: true });
    expect(output.wrote).toEqual([
      { path: join(scratch.workspace, 'reports/2026/report.md'), ...state },
    ]);
    expect(readdirSync(join(scratch.workspace, 'reports/2026'))).toEqual(['report.md']);
  });

  it('keeps the mode of a file that it replaces', async () => {
    const path = scratch.put('run.sh', 'old');
    chmodSync(path, 0o751);
    await file({ operation: 'write', path: 'run.sh', content: 'new' });
    expect(statSync(path).mode & 0o777).toBe(0o751);
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  it.each([
    ['content that changed', 'something else', sha256(Buffer.from('old'))],
    ['a file that was to be new', 'old', 'absent'],
    ['a file that is gone', undefined, sha256(Buffer.from('old'))],
  ])('leaves %s as it is', async (_what, now, expected) => {
    const path = join(scratch.workspace, 'a.txt');
    if (now !== undefined) writeFileSync(path, now);
    const args = { operation: 'write', path: 'a.txt', content: 'mine' };
    await expect(file(args, { expected: () => expected })).rejects.toSatisfy((error) =>
      failedWith(error, 'FILE_CHANGED'),
    );
    expect(readdirSync(scratch.workspace)).toEqual(now === undefined ? [] : ['a.txt']);
    if (now !== undefined) expect(readFileSync(path, 'utf8')).toBe(now);
  });

  it('replaces a file if it is as expected', async () => {
    const path = scratch.put('a.txt', 'old');
    const expected = () => sha256(Buffer.from('old'));
    await file({ operation: 'write', path: 'a.txt', content: 'mine' }, { expected });
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it.each(['absent', sha256(Buffer.from('old'))])(
    'copies nothing if the source has other content than the call was decided on: target %s',
    async (expected) => {
      scratch.put('draft', 'evil');
      if (expected !== 'absent') scratch.put('target', 'old');
      const context = { expected: () => expected, planned: () => sha256(Buffer.from('good')) };
      const args = { operation: 'copy', path: 'draft', to: 'target', replace: true };
      await expect(file(args, context)).rejects.toMatchObject({
        code: 'FILE_CHANGED',
        message: expect.stringMatching(/^The new content of "target" .* Nothing was written\.$/),
      });
      const left = expected === 'absent' ? ['draft'] : ['draft', 'target'];
      expect(readdirSync(scratch.workspace)).toEqual(left);
    },
  );

  it('appends twice if it is called twice', async () => {
    const args = { operation: 'append', path: 'log.txt', content: 'one\n' };
    expect(await file(args)).toMatchObject({ created: true, bytes: 4 });
    expect(await file(args)).toMatchObject({ created: false, bytes: 8 });
  });

  it('edits exactly the old text, and keeps byte order mark and line endings', async () => {
    const path = scratch.put('a.txt', '\ufeffone\r\n$1 two\r\n');
    const args = { operation: 'edit', path: 'a.txt', old_text: '$1 two', new_text: '$& 2' };
    await file(args);
    expect(readFileSync(path, 'utf8')).toBe('\ufeffone\r\n$& 2\r\n');
  });

  it.each([
    ['edit', { old_text: 'two\nthree', new_text: '2\n3' }, 'one\r\n2\r\n3\r\n'],
    ['replace', { pattern: 't.*o', new_text: '2\n2' }, 'one\r\n2\r\n2\r\nthree\r\n'],
    ['append', { content: 'four\n' }, 'one\r\ntwo\r\nthree\r\nfour\r\n'],
  ])('keeps CRLF as the end of all lines: %s', async (operation, args, expected) => {
    const path = scratch.put('a.txt', 'one\r\ntwo\r\nthree\r\n');
    await file({ operation, path: 'a.txt', ...args });
    expect(readFileSync(path, 'utf8')).toBe(expected);
    writeFileSync(path, 'one\r\ntwo\nthree\n');
    await file({ operation, path: 'a.txt', ...args });
    expect(readFileSync(path, 'utf8')).toMatch(/[^\r]\n$/);
  });

  it.each([
    ['replace', { old_text: '\r\n', new_text: '\n' }],
    ['replace', { pattern: '\\r\\n', new_text: '\n' }],
    ['edit', { old_text: '\r\n', new_text: '\n', replace_all: true }],
  ])('changes CRLF to LF if asked to: %s %o', async (operation, args) => {
    const path = scratch.put('a.txt', 'one\r\ntwo\r\n');
    await file({ operation, path: 'a.txt', ...args });
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  });

  it.each([
    ['text that is not there', { old_text: 'zzz' }, /does not contain old_text/],
    ['text that is there twice', { old_text: 'a' }, /contains old_text 2 times/],
    ['a missing file', { old_text: 'a', path: 'none' }, /No \w+ `none`/],
    ['a file that is not UTF-8', { old_text: 'a', path: 'latin' }, /not UTF-8/],
  ])('refuses to edit %s', async (_what, changes, message) => {
    scratch.put('a.txt', 'a a');
    scratch.put('latin', Buffer.from([0x61, 0xe9]));
    const args = { operation: 'edit', path: 'a.txt', new_text: 'b', ...changes };
    await expect(file(args)).rejects.toThrow(message);
  });

  it('edits every occurrence if requested', async () => {
    const path = scratch.put('a.txt', 'a a');
    const args = { operation: 'edit', path: 'a.txt', old_text: 'a', new_text: 'b' };
    await file({ ...args, replace_all: true });
    expect(readFileSync(path, 'utf8')).toBe('b b');
  });

  it('leaves the old file and no other when it is aborted', async () => {
    const path = scratch.put('a.txt', 'old');
    const args = { operation: 'write', path: 'a.txt', content: 'new' };
    await expect(file(args, { signal: AbortSignal.abort() })).rejects.toSatisfy((error) =>
      failedWith(error, 'CANCELLED'),
    );
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(scratch.workspace)).toEqual(['a.txt']);
  });
});

describe('file_io list', () => {
  beforeEach(() => {
    for (const path of [
      'b.log',
      'a.md',
      'src/x.ts',
      'src/deep/y.ts',
      'node_modules/m/i.js',
      'out/z',
    ]) {
      scratch.put(path, '123');
    }
    scratch.put('.gitignore', '*.log\nout/\n');
    scratch.put('src/.gitignore', '!keep.log\ndeep\n');
    scratch.put('src/keep.log', '1');
  });
  const paths = async (args: object) =>
    (await file<{ entries: { path: string }[] }>({ operation: 'list', ...args })).entries.map(
      ({ path }) => path,
    );

  it('returns everything in a folder, in order, with kinds and sizes', async () => {
    expect(await file({ operation: 'list' })).toEqual({
      entries: [
        { path: '.gitignore', kind: 'file', bytes: 11 },
        { path: 'a.md', kind: 'file', bytes: 3 },
        { path: 'b.log', kind: 'file', bytes: 3 },
        { path: 'node_modules', kind: 'folder', bytes: 0 },
        { path: 'out', kind: 'folder', bytes: 0 },
        { path: 'src', kind: 'folder', bytes: 0 },
      ],
      total: 6,
      files: 3,
      truncated: false,
    });
  });

  it('counts the files that it does not return, and reports a name that is not UTF-8 as unreachable', async () => {
    writeFileSync(
      Buffer.concat([Buffer.from(`${scratch.workspace}/c`), Buffer.from([0xff])]),
      'text',
    );
    expect(await file({ operation: 'list', max_results: 4 })).toMatchObject({
      entries: [{}, {}, {}, { path: 'c\ufffd', kind: 'other', bytes: 0 }],
      total: 7,
      files: 3,
      truncated: true,
    });
  });

  it.each([
    ['by a glob', { globs: ['*.log'] }, ['b.log']],
    [
      'a whole tree without what ignore files name',
      { recursive: true },
      ['.gitignore', 'a.md', 'node_modules', 'src', 'src/.gitignore', 'src/keep.log', 'src/x.ts'],
    ],
    [
      'below a folder that an ignore file names, when it is named itself',
      { path: 'out', recursive: true },
      ['out/z'],
    ],
    ['a tree by a glob', { globs: ['**/*.ts'] }, ['src/x.ts']],
    [
      'a tree by a glob, ignored files as well',
      { globs: ['**/*.ts'], include_ignored: true },
      ['src/deep/y.ts', 'src/x.ts'],
    ],
    ['relative to the folder', { path: 'src', globs: ['x.*'] }, ['src/x.ts']],
  ])('lists %s', async (_what, args, expected) => {
    expect(await paths(args)).toEqual(expected);
  });

  it('is refused past 2,000 ignore rules for one folder, by the name of the file that makes it more', async () => {
    const rules = (name: string) => Array.from({ length: 1_500 }, (_, at) => `${name}${at}\n`);
    scratch.put('.gitignore', [...rules('x'), ...rules('x')].join(''));
    scratch.put('other/.gitignore', rules('y').slice(0, 400).join(''));
    expect(await paths({ recursive: true })).toContain('other/.gitignore');
    scratch.put('src/.ignore', rules('y').join(''));
    await expect(paths({ recursive: true })).rejects.toThrow(/: src\/\.ignore exceeds 2000 /);
    expect(await paths({ recursive: true, include_ignored: true })).toContain('src/.ignore');
  });

  it('ends when it is aborted, even if all files are ignored', async () => {
    const rules = Array.from({ length: 1_900 }, (_, at) => `*z${at}*no\n`);
    scratch.put('many/.gitignore', `*\n${rules.join('')}`);
    for (let at = 0; at < 1_000; at += 1) scratch.put(`many/a-file-${at}-no`, '');
    const aborting = new AbortController();
    const args = { operation: 'list', path: 'many', recursive: true };
    setTimeout(() => aborting.abort(), 400);
    await expect(file(args, { signal: aborting.signal })).rejects.toSatisfy((error) =>
      failedWith(error, 'CANCELLED'),
    );
  });

  it('counts what it leaves out', async () => {
    expect(await file({ operation: 'list', max_results: 2 })).toMatchObject({
      total: 6,
      truncated: true,
    });
  });

  it('shows links, and enters none', async () => {
    symlinkSync(scratch.outside, join(scratch.workspace, 'door'));
    symlinkSync('src', join(scratch.workspace, 'way'));
    symlinkSync('..', join(scratch.workspace, 'src/loop'));
    writeFileSync(join(scratch.outside, 'secret'), '');
    const { entries } = await file<{ entries: object[] }>({ operation: 'list', recursive: true });
    expect(entries).toContainEqual({ path: 'door', kind: 'other', bytes: 0 });
    expect(entries).toContainEqual({ path: 'way', kind: 'folder', bytes: 0 });
    expect(JSON.stringify(entries)).not.toMatch(/secret|way\/|loop\//);
  });
});

describe('file_io search', () => {
  it('finds lines with their numbers, in a tree or in one file', async () => {
    scratch.put('a.txt', 'one\r\ntwo error\r\nthree\r\n');
    scratch.put('b/c.log', `${'x\n'.repeat(400_000)}last Error here`);
    scratch.put('b/binary', Buffer.from('error\0'));
    const found = await file({ operation: 'search', pattern: 'err+or', ignore_case: true });
    expect(found).toEqual({
      matches: [
        { path: 'a.txt', line: 2, text: 'two error' },
        { path: 'b/c.log', line: 400_001, text: 'last Error here' },
      ],
      total: 2,
      truncated: false,
      files: 2,
      skipped: [{ path: 'b/binary', reason: 'binary' }],
    });
    const one = await file({ operation: 'search', path: 'a.txt', pattern: 'three' });
    expect(one).toMatchObject({ matches: [{ path: 'a.txt', line: 3, text: 'three' }] });
  });

  it('finds the lines of many small files in the order of their names, each with its own number', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `f${1000 + index}.txt`);
    for (const name of names)
      scratch.put(name, `${'\n'.repeat(Number(name.slice(1, 5)) - 1000)}err`);
    scratch.put('f1150.txt', `${'long line\n'.repeat(50_000)}err`);
    const given = { operation: 'search', pattern: 'er+', max_results: 200 };
    const found = await file<{ matches: { path: string; line: number }[] }>(given);
    expect(found).toMatchObject({ total: 300, files: 300, truncated: true });
    expect(found.matches.map(({ path }) => path)).toEqual(names.slice(0, 200));
    expect(found.matches[199]?.line).toBe(200);
    expect(found.matches[150]?.line).toBe(50_001);
  });

  it('searches the files of globs, counts all matches, and returns as many as requested', async () => {
    for (const name of ['a.ts', 'b/c.ts', 'd.md']) scratch.put(name, 'x\n'.repeat(10));
    const args = { operation: 'search', pattern: 'x', globs: ['*.ts'], max_results: 3 };
    expect(await file(args)).toMatchObject({ total: 20, truncated: true, files: 2 });
  });

  it('reads a glob with a folder in parentheses literally, and refuses one with a group', async () => {
    scratch.put('app/(shop)/page.tsx', 'x');
    const given = { operation: 'search', pattern: 'x' };
    expect(await file({ ...given, globs: ['app/(shop)/*.tsx'] })).toMatchObject({ files: 1 });
    await expect(file({ ...given, globs: ['!(a).tsx'] })).rejects.toThrow(/write "\{a,b\}"/);
  });

  it('passes over protected files', async () => {
    scratch.put('.env', 'KEY=1');
    scratch.put('a', 'KEY');
    const isProtected = (path: string) => path.endsWith('.env');
    const found = await file({ operation: 'search', pattern: 'KEY' }, { isProtected });
    expect(found).toMatchObject({ total: 1, skipped: [{ path: '.env', reason: 'not readable' }] });
  });

  it('finds a text anywhere in a long line, and says where it searched only a part of one', async () => {
    const long = (at: number) => `${'y'.repeat(at)}findme${'y'.repeat(2_200_000 - at)}`;
    scratch.put('.gitignore', 'out\n');
    scratch.put('out', 'findme');
    scratch.put('node_modules/a.js', 'findme');
    scratch.put('a.txt', `${long(100_000)}\n${long(1024 * 1024 - 3)}\nfindme`);
    const found = await file({ operation: 'search', pattern: 'findme' });
    expect(found).toMatchObject({
      total: 3,
      ignored: 2,
      matches: [1, 2, 3].map((line) => ({ line })),
    });
    const inTexts = await file({ operation: 'search', pattern: 'findme', globs: ['**/*.txt'] });
    expect(inTexts).toMatchObject({ total: 3, ignored: 1 });
    expect(found).not.toHaveProperty('skipped');
    const skipped = [{ path: 'a.txt', reason: 'a long line was searched in part' }];
    const part = await file({ operation: 'search', pattern: 'find.?me' });
    expect(part).toMatchObject({ total: 1, skipped });
  });

  it('says that a named file is protected or missing', async () => {
    scratch.put('.env', 'KEY=1');
    const args = { operation: 'search', path: '.env', pattern: 'KEY' };
    await expect(file(args, { isProtected: () => true })).rejects.toSatisfy((error) =>
      failedWith(error, 'PATH_PROTECTED'),
    );
    await expect(file({ ...args, path: 'none' })).rejects.toThrow(/No \w+ `none`/);
  });

  it.each([
    ['repetitions', '^(a+)+$'],
    ['choices', `${'(a|aa)'.repeat(60)}$b`],
  ])('ends a pattern that is made of %s never to finish', async (_what, pattern) => {
    scratch.put('evil.txt', `${'a'.repeat(5_000)}!\n`);
    const args = { operation: 'search', pattern };
    await expect(file(args, { timeoutMs: 300 })).rejects.toThrow(/takes too long to match/);
  });

  it('does not delay other calls while a long pattern without repetition searches a long line', async () => {
    scratch.put('long.txt', `${'a'.repeat(800_000)}b`);
    const delay = monitorEventLoopDelay();
    delay.enable();
    const found = await file({ operation: 'search', pattern: `${'(a)'.repeat(330)}b` });
    await sleep(50);
    expect(delay.max / 1e6).toBeLessThan(1_000);
    expect(found).toMatchObject({ total: 1 });
    expect(found).not.toHaveProperty('skipped');
  });

  it('reads the first lines and bytes of a large file without the rest, and continues from there', async () => {
    const huge = join(scratch.workspace, 'huge.txt');
    scratch.put('huge.txt', 'a\n'.repeat(10_000));
    truncateSync(huge, 1e12);
    const quick = { timeoutMs: 2_000 };
    const part = { operation: 'read', path: 'huge.txt', max_bytes: 1_000 };
    expect(await file(part, quick)).toMatchObject({
      content: 'a\n'.repeat(500),
      bytes: 1e12,
      next_line: 501,
    });
    expect(await file({ ...part, from_line: 501 }, quick)).toMatchObject({ next_line: 1_001 });
    const { read } = await scratch.call(fileIo, part, quick);
    expect(read).toBeUndefined();
  });

  it('reads the first bytes of a large file of one line without the rest', async () => {
    const huge = scratch.put('huge.txt', 'a'.repeat(20_000));
    truncateSync(huge, 1e12);
    const part = { operation: 'read', path: 'huge.txt', max_bytes: 1_000 };
    expect(await file(part, { timeoutMs: 2_000 })).toMatchObject({
      ...{ content: 'a'.repeat(1_000), truncated: true, line_cut: true, next_line: 2 },
    });
  });

  it('ends a search or a read that takes too long in total', async () => {
    const huge = join(scratch.workspace, 'huge.txt');
    scratch.put('huge.txt', 'a\n'.repeat(10_000));
    truncateSync(huge, 1e12);
    for (const args of [
      { operation: 'search', path: 'huge.txt', pattern: 'b' },
      { operation: 'read', path: 'huge.txt', from_line: 20_000 },
    ])
      await expect(file(args, { timeoutMs: 200 })).rejects.toMatchObject({
        code: 'TOOL_TIMED_OUT',
      });
  });

  it.each([
    ['(', /not a regular expression/],
    ['(?<a', /not a regular expression/],
  ])('reports that %s is not a valid pattern', async (pattern, message) => {
    await expect(file({ operation: 'search', pattern })).rejects.toThrow(message);
  });
});

describe('the arguments of file_io', () => {
  it.each([
    ['an unknown operation', { operation: 'destroy', path: 'a' }, /operation/],
    ['an unknown argument', { operation: 'read', path: 'a', mode: 1 }, /mode/],
    ['a write without content', { operation: 'write', path: 'a' }, /needs content/],
    ['a search without pattern', { operation: 'search' }, /needs pattern/],
    ['an edit without new_text', { operation: 'edit', path: 'a', old_text: 'x' }, /needs new_text/],
    ['a line number below one', { operation: 'read', path: 'a', from_line: 0 }, /from_line/],
  ])('refuse %s, naming it', (_what, args, message) => {
    expect(() => fileIo.prepare(args)).toThrow(message);
  });

  it.each([
    ['list', 0, 'pure'],
    ['read', 0, 'pure'],
    ['search', 0, 'pure'],
    ['write', 1, 'idempotent'],
    ['append', 1, 'unsafe'],
    ['edit', 1, 'unsafe'],
  ])('have the tier %s', (operation, tier, repeatability) => {
    const args = { operation, path: 'a', pattern: 'x', content: 'c', old_text: 'o', new_text: 'n' };
    expect(fileIo.prepare(args).operation).toMatchObject({
      name: `file_io.${operation}`,
      tier,
      repeatability,
      paths: [{ path: 'a', access: tier === 0 ? 'read' : 'write' }],
    });
  });
});

it('leaves no temporary file behind, whatever fails', async () => {
  const path = scratch.put('a.txt', 'old');
  unlinkSync(path);
  mkdirSync(path);
  await expect(file({ operation: 'write', path: 'a.txt', content: 'x' })).rejects.toThrow();
  rmSync(path, { recursive: true });
  expect(readdirSync(scratch.workspace)).toEqual([]);
});

it.each([
  [{}, undefined],
  [{ from_line: 200, max_lines: 201 }, '200-400'],
  [{ from_line: 200 }, 'from 200'],
  [{ from_line: -20, max_lines: 5 }, 'from -20, 5 lines'],
])('a read of %j names the lines that it asks for: %s', (range, lines) => {
  const { operation } = fileIo.prepare({ operation: 'read', path: 'a.txt', ...range });
  expect(operation.lines).toBe(lines);
});
