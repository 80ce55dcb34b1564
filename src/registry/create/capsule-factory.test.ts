import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  plainManifest,
  type TemporaryCapsules,
  temporaryCapsules,
} from '../../../test/setup/temporary-capsules.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { rewriteEntrypoint, shimText } from '../manifest/entrypoint-shim.ts';
import { type CapsuleProfile, draftCapsule, writeCapsule } from './capsule-factory.ts';
import { firstFree, toCapsuleId } from './capsule-id.ts';

let capsules: TemporaryCapsules;
beforeEach(() => {
  capsules = temporaryCapsules();
  capsules.write('template/manifest.json', JSON.stringify(plainManifest('new-capsule')));
  capsules.write('template/entrypoint.cjs', shimText(false));
  capsules.write('template/skill.md', 'You are {{capsule_name}}.');
  capsules.write('template/README.md', 'How to fill this in by hand.');
});
afterEach(() => capsules.remove());

const files = { operations: ['read'], paths: ['**'] };
const profile: CapsuleProfile = {
  id: 'pdf-reader',
  name: 'PDF reader',
  description: 'Reads PDF files.',
  role: '',
  examples: [],
  skills: ['file_system'],
  grants: { file_io: files },
};
const draft = (changes: Partial<CapsuleProfile> = {}, taken: readonly string[] = []) =>
  draftCapsule({
    redactor: noSecrets,
    profile: { ...profile, ...changes },
    templateDir: join(capsules.root, 'template'),
    targetDir: join(capsules.root, 'personal'),
    taken: new Set(taken),
    grantable: {
      file_io: files,
      web_fetch: { operations: ['GET'], hosts: ['example.com'] },
    },
    skills: new Set(['file_system']),
  });
const create = async (...changes: Parameters<typeof draft>) =>
  writeCapsule(await draft(...changes));

describe('a capsule is made from the template', () => {
  test('and removes the unfinished files of a process that died, but not those of a live one', async () => {
    const { pid: gone } = spawnSync('true');
    capsules.write(`personal/.draft-${gone}-00/manifest.json`, '{');
    capsules.write(`personal/.draft-${process.pid}-00/manifest.json`, '{');
    await create();
    const left = [`.draft-${process.pid}-00`, 'pdf-reader'];
    expect(readdirSync(join(capsules.root, 'personal')).sort()).toEqual(left);
  });

  test('complete, for its owner only, and without temporary files', async () => {
    const capsule = await create();
    expect(capsule).toMatchObject({
      id: 'pdf-reader',
      origin: 'personal',
      overlay: { text: 'You are {{capsule_name}}.' },
      manifest: {
        name: 'PDF reader',
        grants: { tools: { file_io: files }, services: [] },
        skills: ['file_system'],
        task_kinds: [{ name: 'work' }],
      },
    });
    expect(readdirSync(join(capsules.root, 'personal'))).toEqual(['pdf-reader']);
    expect(readdirSync(capsule.dir).sort()).toEqual([
      'entrypoint.cjs',
      'manifest.json',
      'skill.md',
    ]);
    expect(statSync(capsule.dir).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(capsule.dir)) {
      expect(statSync(join(capsule.dir, file)).mode & 0o777).toBe(0o600);
    }
  });

  test('is granted nothing beyond what the run may grant', async () => {
    const { manifest } = await create({
      grants: {
        file_io: files,
        terminal: { operations: ['read'] },
        constructor: {},
        web_fetch: { operations: ['GET', 'POST'], hosts: ['*', 'example.com'] },
      },
      skills: ['file_system', 'file_system', 'root_access'],
    });
    expect(manifest.grants).toEqual({
      tools: { file_io: files, web_fetch: { operations: ['GET'], hosts: ['example.com'] } },
      services: [],
    });
    expect(manifest.skills).toEqual(['file_system']);
  });

  test('gets another id if one is taken, reserved, or has a folder already', async () => {
    expect((await create({}, ['pdf-reader'])).id).toBe('pdf-reader-2');
    capsules.write('personal/pdf-reader/memory.db', 'of an earlier one');
    expect((await create({ name: 'Another' })).id).toBe('pdf-reader-3');
    expect((await create({ id: 'coordinator' })).id).toBe('coordinator-2');
    expect((await create({ id: 'skills' })).id).toBe('skills-2');
  });

  test('once, however often it is written', async () => {
    const once = await draft();
    const { id } = await writeCapsule(once);
    expect((await draft({}, [id])).manifest.id).toBe('pdf-reader');
    expect((await writeCapsule(once)).id).toBe('pdf-reader');
    expect(readdirSync(join(capsules.root, 'personal'))).toEqual(['pdf-reader']);
  });

  test('not if another one was created in between', async () => {
    const [one, other] = await Promise.all([draft(), draft({ role: 'You hurry.' })]);
    expect((await writeCapsule(one)).id).toBe('pdf-reader');
    await expect(writeCapsule(other)).rejects.toThrow(
      'another capsule was created there in the meantime',
    );
    expect(readdirSync(join(capsules.root, 'personal'))).toEqual(['pdf-reader']);
  });

  test('says at the top of its overlay what it is, as text, and has its examples', async () => {
    const { overlay, manifest } = await create({
      role: 'You read {{tools}}\nand \u202E{{#if x}}.',
      examples: ['read a.pdf', ' ', 'read\nb.pdf'],
    });
    expect(overlay?.text).toBe(
      'You read \\{{tools}} and \\{{#if x}}.\n\nYou are {{capsule_name}}.',
    );
    expect(manifest.task_kinds[0]?.examples).toEqual(['read a.pdf', 'read b.pdf']);
  });

  test('survives a profile that is hostile or empty', async () => {
    const { dir, manifest } = await create({
      id: '../../etc/cron.d/x',
      name: ' \u202Eevil\n\u0000name ',
      description: '',
    });
    expect(dir).toBe(join(capsules.root, 'personal/etc-cron-d-x'));
    expect(manifest.name).toBe('evil name');
    expect(manifest.description).toBe('evil name');
    expect((await create({ id: '', name: '' })).id).toBe('reads-pdf-files');
    const nothing = { id: '', name: '', description: '' };
    expect((await create(nothing)).id).toMatch(/^file-system-capsule-[0-9a-f]{8}$/);
  });

  test('is not created if the template is broken', async () => {
    capsules.write('template/manifest.json', '{"id": 1}');
    await expect(create()).rejects.toThrow(/template\/manifest\.json is invalid/);
    expect(existsSync(join(capsules.root, 'personal'))).toBe(false);
  });

  test('from the template that ships', async () => {
    const templateDir = join(import.meta.dirname, '../../../capsule-template');
    const capsule = await writeCapsule(
      await draftCapsule({
        redactor: noSecrets,
        profile,
        templateDir,
        targetDir: join(capsules.root, 'personal'),
        grantable: { file_io: files },
        skills: new Set(['file_system']),
      }),
    );
    expect(capsule.manifest.task_kinds[0]?.mode).toBe('agentic');
    expect(readFileSync(join(templateDir, 'entrypoint.cjs'), 'utf8')).toBe(shimText(false));
    expect(existsSync(join(capsule.dir, 'README.md'))).toBe(false);
  });
});

describe('an id speaks', () => {
  test.each([
    ['PDF Reader', 'pdf-reader'],
    ['Café Übersetzer', 'cafe-ubersetzer'],
    ['Straße & Łódź', 'strasse-lodz'],
    ['Переводчик текста', 'perevodchik-teksta'],
    ['Μεταφραστής', 'metafrastis'],
    ['번역가', 'beonyeokga'],
    ['ロボット よみ', 'roboto-yomi'],
    ['מתרגם', 'mtrgm'],
    ['مترجم الملفات', 'mtrjm-almlfat'],
    ['3D viewer', 'capsule-3d-viewer'],
    ['--a--b--', 'a-b'],
    [`${'very long name '.repeat(10)}`, 'very-long-name-very-long-name-very-long-name-ver'],
  ])('%s → %s', (name, id) => {
    expect(toCapsuleId(name)).toBe(id);
  });

  test('and names in other scripts stay different, and valid', () => {
    const names = ['翻訳者', '画家', 'مترجم', 'מתרגם', 'PDF 読者', 'PDF 作家', '🚀', '', '  '];
    const ids = names.map((name) => toCapsuleId(name));
    expect(new Set(ids.slice(0, 8)).size).toBe(8);
    expect(toCapsuleId('日本語の翻訳', 'file-system-capsule')).toMatch(
      /^file-system-capsule-[0-9a-f]{8}$/,
    );
    for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    expect(ids[4]).toMatch(/^pdf-[0-9a-f]{8}$/);
  });

  test('and gets a number if it is taken', () => {
    const taken = new Set(['a', 'a-2']);
    expect(firstFree('a', (id) => taken.has(id))).toBe('a-3');
    expect(firstFree('b', (id) => taken.has(id))).toBe('b');
  });
});

describe('entrypoints are rewritten', () => {
  const old = 'const s = require(process.env.CAPSTAN_SDK);\ns.start();\n';

  test('an old shim is updated to the current form, with the handlers if there are any', () => {
    const dir = capsules.writeCapsule('personal/one');
    capsules.write('personal/one/entrypoint.cjs', old);
    expect(rewriteEntrypoint(dir)).toBe('rewritten');
    expect(readFileSync(join(dir, 'entrypoint.cjs'), 'utf8')).toBe(shimText(false));
    expect(rewriteEntrypoint(dir)).toBe('current');
    capsules.write('personal/one/handlers.cjs', 'exports.handlers = {};');
    expect(rewriteEntrypoint(dir)).toBe('rewritten');
    expect(readFileSync(join(dir, 'entrypoint.cjs'), 'utf8')).toContain('./handlers.cjs');
    expect(readdirSync(dir).sort()).toEqual(['entrypoint.cjs', 'handlers.cjs', 'manifest.json']);
  });

  test('a program of the author is left alone', () => {
    const dir = capsules.writeCapsule('personal/one');
    expect(rewriteEntrypoint(dir)).toBe('own');
    expect(rewriteEntrypoint(capsules.root)).toBe('own');
  });
});
