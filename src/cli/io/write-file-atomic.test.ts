import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { assertWritable } from './write-file-atomic.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-writable-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('checks that a file can be written and leaves nothing behind', () => {
  assertWritable(join(dir, 'report.xml'));
  expect(readdirSync(dir)).toEqual([]);
});

it("names the file that can't be written, and never its draft", () => {
  mkdirSync(join(dir, 'reports'));
  symlinkSync('/dev/null', join(dir, 'null'));
  const problemOf = (path: string): string => {
    try {
      assertWritable(path);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const missing = join(dir, 'none/report.xml');
  expect(problemOf(missing)).toBe(
    `${missing} can't be written: there is no folder ${join(dir, 'none')}.`,
  );
  expect(problemOf(join(dir, 'reports'))).toContain('reports is not a regular file');
  expect(problemOf(join(dir, 'null'))).toContain('null is not a regular file');
  expect(problemOf('/proc/report.xml')).toMatch(/^\/proc\/report\.xml can't be written: \S/);
  expect(problemOf('/proc/report.xml')).not.toContain('draft');
  const inFile = join(dir, 'plain.txt/report.xml');
  writeFileSync(join(dir, 'plain.txt'), '');
  expect(problemOf(inFile)).toMatch(/can't be written: ENOTDIR/);
  expect(problemOf(inFile)).not.toContain('draft');
});
