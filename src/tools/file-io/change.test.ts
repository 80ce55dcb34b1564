import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../../test/setup/tool-scratch.ts';
import { sha256 } from '../../platform/text/canonical-hash.ts';
import { fileIo } from '../file-io.ts';
import { writeProblemOf } from '../files/write-file.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => scratch[Symbol.dispose]());

const file = <T = Record<string, unknown>>(args: object, changes = {}) =>
  scratch.ask<T>(fileIo, args, changes);
const at = (path: string) => join(scratch.workspace, path);
const contentOf = (path: string) => readFileSync(at(path), 'utf8');
const hashOf = (text: string) => sha256(Buffer.from(text));

it('a failed write names the reason in words, without paths of the system', () => {
  const message = "EROFS: read-only file system, open '/proc/self/fd/22/.capstan-1.tmp'";
  const error = Object.assign(new Error(message), { code: 'EROFS' });
  expect(writeProblemOf(error)).toBe('the folder is read-only');
});

describe('file_io rename and move', () => {
  it('rename or move a file, with content and mode, and report its old path', async () => {
    chmodSync(scratch.put('docs/a.md', 'one\n'), 0o640);
    expect(await file({ operation: 'rename', path: 'docs/a.md', to: 'b.md' })).toEqual({
      ...{
        path: 'docs/b.md',
        from: 'docs/a.md',
        bytes: 4,
        sha256: hashOf('one\n'),
        replaced: false,
      },
    });
    expect(readdirSync(at('docs'))).toEqual(['b.md']);
    expect(statSync(at('docs/b.md')).mode & 0o777).toBe(0o640);
  });

  it('create missing folders, and keep the name in a folder', async () => {
    scratch.put('a.md', 'one\n');
    const moved = await file({ operation: 'move', path: 'a.md', to: 'old/2024/' });
    expect(moved).toMatchObject({ path: 'old/2024/a.md' });
    expect(existsSync(at('a.md'))).toBe(false);
  });

  it('replace an existing file only if requested', async () => {
    scratch.put('a.md', 'one\n');
    scratch.put('b.md', 'two\n');
    const args = { operation: 'rename', path: 'a.md', to: 'b.md' };
    await expect(file(args)).rejects.toThrow('"b.md" exists; set replace');
    expect(contentOf('b.md')).toBe('two\n');
    expect(await file({ ...args, replace: true })).toMatchObject({ replaced: true });
    expect(contentOf('b.md')).toBe('one\n');
  });

  it('refuse a file that is not as expected, and a target that appeared in between', async () => {
    scratch.put('a.md', 'one\n');
    const args = { operation: 'move', path: 'a.md', to: 'b.md' };
    const expected = (path: string) => (path.endsWith('a.md') ? hashOf('other') : 'absent');
    await expect(file(args, { expected })).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    scratch.put('b.md', 'two\n');
    const other = () => hashOf('one\n');
    await expect(file({ ...args, replace: true }, { expected: other })).rejects.toMatchObject({
      code: 'FILE_CHANGED',
    });
    expect([contentOf('a.md'), contentOf('b.md')]).toEqual(['one\n', 'two\n']);
  });

  it('complete a move that was interrupted after the new name was made', async () => {
    linkSync(scratch.put('a.md', 'one\n'), at('b.md'));
    expect(await file({ operation: 'move', path: 'a.md', to: 'b.md' })).toMatchObject({
      path: 'b.md',
    });
    expect(readdirSync(scratch.workspace)).toEqual(['b.md']);
  });

  it('name what works instead for folders, links, missing files and bad names', async () => {
    mkdirSync(at('docs'));
    scratch.put('a.md', 'one\n');
    symlinkSync('a.md', at('link.md'));
    const move = (path: string, to: string) => file({ operation: 'move', path, to });
    await expect(move('docs', 'texts')).rejects.toThrow('"docs" is a folder; only files are moved');
    await expect(move('a.md', 'docs')).rejects.toThrow('write "docs/" to keep the name in it');
    await expect(move('link.md', 'b.md')).rejects.toThrow('"link.md" is not a regular file');
    await expect(move('nothing.md', 'b.md')).rejects.toThrow('No file `nothing.md`');
    await expect(move('b.md', 'c.md')).rejects.toThrow('Did you mean `a.md`?');
    await expect(move('a.md', 'a.md')).rejects.toThrow('has this name already');
    await expect(move('a.md', '../out.md')).rejects.toMatchObject({ code: 'PATH_OUTSIDE_ROOTS' });
    await expect(file({ operation: 'rename', path: 'a.md', to: 'docs/b.md' })).rejects.toThrow(
      'use "move" for another folder',
    );
    expect(readdirSync(scratch.workspace).sort()).toEqual(['a.md', 'docs', 'link.md']);
  });

  it('touch neither a protected source nor a protected target', async () => {
    scratch.put('a.md', 'one\n');
    scratch.put('.env', 'KEY=1\n');
    const isProtected = (path: string) => path.endsWith('.env');
    const move = (path: string, to: string) =>
      file({ operation: 'move', path, to }, { isProtected });
    await expect(move('.env', 'b.md')).rejects.toMatchObject({ code: 'PATH_PROTECTED' });
    await expect(move('a.md', '.env')).rejects.toMatchObject({ code: 'PATH_PROTECTED' });
    expect(contentOf('.env')).toBe('KEY=1\n');
  });

  it('make no folder if they are refused', async () => {
    scratch.put('a.md', 'one\n');
    mkdirSync(at('docs'));
    symlinkSync('docs', at('link'));
    const move = (to: string, changes: object) =>
      file({ operation: 'move', path: 'a.md', to }, changes);
    const expected = () => hashOf('other\n');
    await expect(move('new/deep/b.md', { expected })).rejects.toMatchObject({
      code: 'FILE_CHANGED',
    });
    const isGranted = (path: string) => !path.includes('/docs/');
    await expect(move('link/new/b.md', { isGranted })).rejects.toMatchObject({
      code: 'PATH_NOT_GRANTED',
    });
    expect(readdirSync(scratch.workspace).sort()).toEqual(['a.md', 'docs', 'link']);
    expect(readdirSync(at('docs'))).toEqual([]);
  });
});

describe('file_io copy', () => {
  it('writes the same content and mode under another name', async () => {
    chmodSync(scratch.put('run.txt', 'one\n'), 0o750);
    expect(await file({ operation: 'copy', path: 'run.txt', to: 'b/' })).toMatchObject({
      path: 'b/run.txt',
      created: true,
    });
    expect(contentOf('b/run.txt')).toBe('one\n');
    expect(statSync(at('b/run.txt')).mode & 0o777).toBe(0o750);
  });

  it('replaces an existing file only if requested', async () => {
    scratch.put('a.md', 'one\n');
    scratch.put('b.md', 'two\n');
    const args = { operation: 'copy', path: 'a.md', to: 'b.md' };
    await expect(file(args)).rejects.toThrow('"b.md" exists; set replace');
    await file({ ...args, replace: true });
    expect(contentOf('b.md')).toBe('one\n');
  });

  it('reads no protected file', async () => {
    scratch.put('.env', 'KEY=1\n');
    const isProtected = (path: string) => path.endsWith('.env');
    const args = { operation: 'copy', path: '.env', to: 'b.txt' };
    await expect(file(args, { isProtected })).rejects.toMatchObject({ code: 'PATH_PROTECTED' });
    expect(existsSync(at('b.txt'))).toBe(false);
  });
});

describe('file_io delete', () => {
  it('removes one file, or an empty folder, and nothing else', async () => {
    scratch.put('docs/a.md', 'one\n');
    await expect(file({ operation: 'delete', path: 'docs' })).rejects.toThrow(
      '"docs" is a folder with files in it; delete them first',
    );
    const output = await scratch.call(fileIo, { operation: 'delete', path: 'docs/a.md' });
    expect(output).toMatchObject({
      result: { path: 'docs/a.md', deleted: true },
      removed: [at('docs/a.md')],
    });
    expect(await file({ operation: 'delete', path: 'docs' })).toEqual({
      path: 'docs',
      deleted: true,
    });
    expect(readdirSync(scratch.workspace)).toEqual([]);
  });

  it('refuses the workspace, a missing file, a link, and a file that is not as expected', async () => {
    scratch.put('a.md', 'one\n');
    symlinkSync('a.md', at('link.md'));
    const remove = (path: string, changes = {}) => file({ operation: 'delete', path }, changes);
    await expect(remove('.')).rejects.toThrow('the workspace itself');
    await expect(remove('nothing.md')).rejects.toThrow('No file `nothing.md`');
    await expect(remove('link.md')).rejects.toThrow('symbolic link');
    await expect(remove('a.md', { expected: () => hashOf('x') })).rejects.toMatchObject({
      code: 'FILE_CHANGED',
    });
    expect(readdirSync(scratch.workspace)).toEqual(['a.md', 'link.md']);
  });
});

describe('file_io replace', () => {
  it('replaces every occurrence of a text, literally, and counts', async () => {
    scratch.put('a.md', 'a.b a.b axb\n');
    expect(
      await file({ operation: 'replace', path: 'a.md', old_text: 'a.b', new_text: '$1$&' }),
    ).toMatchObject({ path: 'a.md', replacements: 2 });
    expect(contentOf('a.md')).toBe('$1$& $1$& axb\n');
  });

  it('replaces matches of a regular expression, with its groups', async () => {
    scratch.put('a.csv', 'x,2024-01-31\ny,2024-02-01\n');
    const pattern = '(\\d{4})-(\\d\\d)-(\\d\\d)$';
    await file({ operation: 'replace', path: 'a.csv', pattern, new_text: '$3.$2.$1' });
    expect(contentOf('a.csv')).toBe('x,31.01.2024\ny,01.02.2024\n');
  });

  it('ignores case if requested, also for a literal text', async () => {
    scratch.put('a.md', 'Foo foo FOO (x)\n');
    const replace = (args: object) => file({ operation: 'replace', path: 'a.md', ...args });
    await replace({ old_text: 'foo', new_text: 'b$1', ignore_case: true });
    expect(contentOf('a.md')).toBe('b$1 b$1 b$1 (x)\n');
    await replace({ old_text: '(X)', new_text: 'y', ignore_case: true });
    expect(contentOf('a.md')).toBe('b$1 b$1 b$1 y\n');
  });

  it('fails if nothing is found, and explains problems of a pattern', async () => {
    scratch.put('a.md', `${'a'.repeat(40)}!\n`);
    const replace = (args: object) => file({ operation: 'replace', path: 'a.md', ...args });
    await expect(replace({ old_text: 'zzz', new_text: '' })).rejects.toThrow(
      '"a.md" does not contain old_text',
    );
    await expect(replace({ pattern: '(', new_text: '' })).rejects.toThrow('regular expression');
    await expect(replace({ new_text: '' })).rejects.toThrow('needs either old_text or pattern');
  });

  it('ends a pattern that never finishes, and a result that grows without end', async () => {
    scratch.put('a.md', `${'a'.repeat(40)}!\n`);
    const slow = { operation: 'replace', path: 'a.md', pattern: '^(a+)+$', new_text: '' };
    await expect(file(slow)).rejects.toThrow('takes too long to match');
    scratch.put('b.md', 'b'.repeat(100_000));
    const large = { operation: 'replace', path: 'b.md', pattern: 'b', new_text: "$`$'" };
    await expect(file(large)).rejects.toThrow('larger than');
    expect(contentOf('b.md')).toHaveLength(100_000);
  });

  it.each([
    ['line ends', '\\n', '\r\n', 'ab\r\n'],
    ['groups', '^(.)(.)', '$2$1', 'ba\n'],
  ])('replaces half a million %s', async (_, pattern, to, line) => {
    scratch.put('a.csv', 'ab\n'.repeat(500_000));
    const args = { operation: 'replace', path: 'a.csv', pattern, new_text: to };
    expect(await file(args)).toMatchObject({ replacements: 500_000 });
    expect(hashOf(contentOf('a.csv'))).toBe(hashOf(line.repeat(500_000)));
  });

  it.each(['edit', 'replace'])('refuse a result that is too large: %s', async (operation) => {
    scratch.put('a.md', 'a'.repeat(100_000));
    const args = { operation, path: 'a.md', old_text: 'a', new_text: 'b'.repeat(1_000) };
    const all = operation === 'edit' ? { replace_all: true } : {};
    await expect(file({ ...args, ...all })).rejects.toThrow('larger than 67108864 bytes');
    expect(contentOf('a.md')).toHaveLength(100_000);
  });
});

describe('file_io read from the end', () => {
  it.each([
    ['one\ntwo\nthree\n', -2, 'two\nthree\n', 2],
    ['one\ntwo\nthree', -1, 'three', 3],
    ['one\n', -5, 'one\n', undefined],
  ])('%j from line %i', async (text, fromLine, content, line) => {
    scratch.put('a.txt', text);
    const read = await file({ operation: 'read', path: 'a.txt', from_line: fromLine });
    expect(read).toMatchObject({ content, ...(line && { from_line: line }) });
  });

  it('reads as many lines as are asked for', async () => {
    scratch.put('a.txt', Array.from({ length: 10 }, (_, i) => `${i + 1}\n`).join(''));
    const args = { operation: 'read', path: 'a.txt', from_line: -3, max_lines: 2 };
    expect(await file(args)).toMatchObject({ content: '8\n9\n', from_line: 8, next_line: 10 });
  });
});
