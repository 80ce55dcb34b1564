import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failedWith } from '../../src/contract/errors.ts';
import {
  archivePathProblem,
  readArchive,
  unpackArchive,
} from '../../src/registry/archive/capsule-archive.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz.ts';

const part = fc.oneof(
  fc.constantFrom(
    'a',
    'A',
    'b.md',
    '..',
    '.',
    '',
    'CON',
    '~',
    'lib',
    '.git',
    'x ',
    '\\',
    'C:',
    'é',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const path = fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/'));
const plainPath = fc
  .array(fc.constantFrom('a', 'A', 'b.md', 'lib', 'é'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'));
const anyPath = fc.oneof({ arbitrary: plainPath, weight: 4 }, path);

describe('the reader of archives', () => {
  it(
    'accepts no path that leads out of the folder',
    () => {
      fc.assert(
        fc.property(path, (text) => {
          if (archivePathProblem(text) !== undefined) return;
          const full = join('/root/folder', text);
          expect(full.startsWith(`/root/folder${sep}`)).toBe(true);
          expect(full).toBe(`/root/folder/${text}`);
        }),
        fuzz(3_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'refuses everything that is not an archive, with one code, and can write what it accepts',
    () => {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-archives-')));
      let made = 0;
      try {
        const file = fc.record({
          path: anyPath,
          content: fc.string({ unit: 'binary', maxLength: 20 }),
        });
        fc.assert(
          fc.property(fc.array(file, { maxLength: 4 }), fc.jsonValue(), (files, strange) => {
            for (const document of [archiveOf(files), strange]) {
              const archive = read(JSON.stringify(document));
              if (!archive) continue;
              made += 1;
              const dir = join(root, String(made));
              unpackArchive(archive, dir);
              expect(readdirSync(dir).length).toBeGreaterThan(0);
              expect(readdirSync(root)).toHaveLength(made);
            }
          }),
          fuzz(150),
        );
        expect(made).toBeGreaterThan(0);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
    FUZZ_TIMEOUT_MS,
  );
});

function read(text: string) {
  try {
    return readArchive(text, 'x');
  } catch (error) {
    expect(failedWith(error, 'ARCHIVE_INVALID')).toBe(true);
    return undefined;
  }
}

/** Its hashes are right: only paths and content are strange. */
function archiveOf(files: readonly { path: string; content: string }[]) {
  const rows = files.map(({ path: name, content }) => {
    const bytes = Buffer.from(content);
    return {
      path: name,
      bytes: bytes.length,
      sha256: sha256(bytes),
      base64: bytes.toString('base64'),
    };
  });
  const list = rows.map((row) => [row.path, row.sha256, false]);
  const whole = sha256(JSON.stringify(['mine', list]));
  return { format: 'capstan-capsule', format_version: 1, id: 'mine', files: rows, sha256: whole };
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
