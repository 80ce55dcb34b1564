import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type TemporaryCapsules,
  temporaryCapsules,
} from '../../../test/setup/temporary-capsules.ts';
import { failedWith } from '../../contract/errors.ts';
import { readCapsule } from '../capsule-store.ts';
import { packCapsule, readArchive, unpackArchive } from './capsule-archive.ts';

let capsules: TemporaryCapsules;
let dir: string;
beforeEach(() => {
  capsules = temporaryCapsules();
  dir = capsules.writeCapsule('personal/mine');
  capsules.write('personal/mine/skill.md', '\uFEFFDo it well.\r\n');
  capsules.write('personal/mine/lib/tool.py', 'print("ü")\n');
  capsules.write('personal/mine/lib/table.bin', '\0\x01');
  capsules.write('personal/mine/memory.db', 'private');
  capsules.write('personal/mine/logs/1.log', 'private');
  capsules.write('personal/mine/.env', 'KEY=private');
  chmodSync(join(dir, 'lib/tool.py'), 0o755);
});
afterEach(() => capsules.remove());

const pack = () => packCapsule(readCapsule(dir, 'personal'));

describe('an archive', () => {
  it('is the same for the same files, and readable', () => {
    const { text, files } = pack();
    utimesSync(join(dir, 'manifest.json'), 1, 1);
    expect(pack().text).toBe(text);
    expect(files).toBe(5);
    expect(text).toContain('"text": "print(\\"ü\\")\\n"');
    expect(text).not.toContain('private');
  });

  it('unpacks to the original files, for the owner only', () => {
    const target = join(capsules.root, 'mine');
    unpackArchive(readArchive(pack().text, 'x'), target);
    expect(readdirSync(target, { recursive: true }).sort()).toEqual(
      ['entrypoint.cjs', 'lib', 'lib/table.bin', 'lib/tool.py', 'manifest.json', 'skill.md'].sort(),
    );
    for (const path of ['skill.md', 'lib/table.bin', 'lib/tool.py', 'manifest.json']) {
      expect(readFileSync(join(target, path))).toEqual(readFileSync(join(dir, path)));
    }
    expect(statSync(join(target, 'lib/tool.py')).mode & 0o777).toBe(0o700);
    expect(statSync(join(target, 'skill.md')).mode & 0o777).toBe(0o600);
    expect(statSync(join(target, 'lib')).mode & 0o777).toBe(0o700);
    expect(() => unpackArchive(readArchive(pack().text, 'x'), target)).toThrow(/EEXIST/);
  });

  it('is not created from files that could not be unpacked', () => {
    capsules.write('personal/mine/CON.txt', '');
    expect(pack).toThrow(/"CON.txt" names a device/);
  });

  it('is not made of links', () => {
    symlinkSync('/etc/passwd', join(dir, 'passwd'));
    expect(() => pack()).toThrow(/neither a file nor a folder/);
  });
});

interface Document {
  format: string;
  format_version: number;
  id: string;
  files: Record<string, unknown>[];
  sha256: string;
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** An archive that somebody made by hand, its hashes right. */
function forged(change: (document: Document) => void): string {
  const document = JSON.parse(pack().text) as Document;
  change(document);
  const list = document.files.map((file) => [
    file['path'],
    file['sha256'],
    file['executable'] === true,
  ]);
  document.sha256 = sha256(JSON.stringify([document.id, list]));
  return JSON.stringify(document);
}

const file = (path: string, text = 'x') => ({
  path,
  bytes: Buffer.byteLength(text),
  sha256: sha256(text),
  text,
});

describe('an archive from a stranger is refused if', () => {
  it.each<[string, () => string, string]>([
    ['it is no JSON', () => 'PK\u0003\u0004', 'not JSON'],
    ['it is nested without end', () => '['.repeat(200_000), 'not JSON'],
    ['it is another format', () => '{"format": "tar"}', 'format'],
    [
      'it has fields that we do not know',
      () => forged((d) => Object.assign(d, { run: 'x' })),
      'run',
    ],
    ['a file is a link', () => forged((d) => d.files.push({ ...file('a'), link: '/etc' })), 'link'],
    ['a path leads out', () => forged((d) => d.files.push(file('../../x'))), 'leads elsewhere'],
    ['a path is absolute', () => forged((d) => d.files.push(file('/etc/x'))), 'absolute'],
    ['a path is there twice', () => forged((d) => d.files.push(file('SKILL.MD'))), 'conflicts'],
    ['a file is a folder, too', () => forged((d) => d.files.push(file('skill.md/x'))), 'conflicts'],
    ['it brings memory', () => forged((d) => d.files.push(file('memory.db'))), 'the memory'],
    [
      'it has too many files',
      () => forged((d) => d.files.push(...Array.from({ length: 500 }, (_, i) => file(`f${i}`)))),
      'files',
    ],
    [
      'its files are too large together',
      () =>
        forged((d) =>
          d.files.push(...[1, 2].map((n) => ({ ...file(`f${n}`), bytes: 20 * 1024 * 1024 }))),
        ),
      'bytes',
    ],
    ['a size is wrong', () => forged((d) => d.files.push({ ...file('a'), bytes: 2 })), 'differ'],
    ['a hash is wrong', () => forged((d) => d.files.push({ ...file('a'), text: 'y' })), 'differ'],
    [
      'Base64 is written in another way',
      () => forged((d) => d.files.push({ path: 'a', bytes: 1, sha256: sha256('x'), base64: 'eA' })),
      'differ',
    ],
    [
      'a file has no content',
      () => forged((d) => d.files.push({ ...file('a'), text: undefined })),
      'text or base64',
    ],
    [
      'its list was changed',
      () => pack().text.replace('"id": "mine"', '"id": "mime"'),
      'list of files',
    ],
  ])('%s', (_, text, problem) => {
    let error: unknown;
    try {
      readArchive(text(), 'evil.json');
    } catch (thrown) {
      error = thrown;
    }
    expect(failedWith(error, 'ARCHIVE_INVALID')).toBe(true);
    expect(String(error)).toContain(problem);
  });
});
