import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  plainManifest,
  type TemporaryCapsules,
  temporaryCapsules,
} from '../../test/setup/temporary-capsules.ts';
import { failedWith } from '../contract/errors.ts';
import { readCapsule, readCapsules } from './capsule-store.ts';

let capsules: TemporaryCapsules;
beforeEach(() => {
  capsules = temporaryCapsules();
});
afterEach(() => capsules.remove());

describe('capsules', () => {
  test('are read from the package, from the user and from a trusted project', () => {
    capsules.writeCapsule('shipped/one');
    capsules.writeCapsule('personal/two');
    capsules.writeCapsule('project/three');
    capsules.write('shipped/skills/git.md', 'no capsule');
    capsules.write('shipped/README.md', 'no capsule');
    const { capsules: found, problems } = readCapsules(capsules.roots);
    expect(problems).toEqual([]);
    expect(found.map(({ id, origin }) => [id, origin])).toEqual([
      ['one', 'shipped'],
      ['two', 'personal'],
      ['three', 'project'],
    ]);
  });

  test('of a project are passed over until the person has trusted them', () => {
    capsules.writeCapsule('project/known');
    capsules.writeCapsule('project/unknown');
    const project = { ...capsules.roots.project, isTrusted: (id: string) => id === 'known' };
    const { capsules: found, problems } = readCapsules({ ...capsules.roots, project });
    expect(found.map(({ id }) => id)).toEqual(['known']);
    expect(problems).toEqual([]);
  });

  test.each(['coordinator', 'skills'])('may not have the id %s', (id) => {
    const dir = capsules.writeCapsule(`elsewhere/${id}`);
    expect(() => readCapsule(dir, 'personal')).toThrow(`"${id}" is reserved for Capstan itself`);
    capsules.writeCapsule('personal/coordinator');
    const { capsules: found, problems } = readCapsules(capsules.roots);
    expect(found).toEqual([]);
    expect(problems.join()).toContain('"coordinator" is reserved for Capstan itself');
  });

  test('without a manifest are reported, unless their folder only holds records or an overlay', () => {
    capsules.writeCapsule('shipped/one');
    capsules.write('personal/one/skill.md', 'as I want it');
    capsules.write('personal/records/memory.db', 'x');
    capsules.write('personal/mine/main.py', 'print()');
    const { problems } = readCapsules(capsules.roots);
    expect(problems).toEqual([expect.stringMatching(/mine\/manifest\.json is invalid:\n.*Add it/)]);
  });

  test('keep their id against later ones', () => {
    const first = capsules.writeCapsule('shipped/same');
    capsules.writeCapsule('personal/same');
    capsules.writeCapsule('project/same');
    const { capsules: found, problems } = readCapsules(capsules.roots);
    expect(found).toMatchObject([{ id: 'same', origin: 'shipped', dir: first }]);
    expect(problems).toHaveLength(2);
    for (const problem of problems)
      expect(problem).toContain(`belongs to the shipped capsule ${first}`);
  });

  test('that ship get the overlay of the user, whose folder is not a capsule', () => {
    capsules.writeCapsule('shipped/one');
    capsules.write('shipped/one/skill.md', 'as shipped');
    const before = readCapsules(capsules.roots).capsules[0];
    const path = capsules.write('personal/one/skill.md', 'as I want it');
    capsules.write('personal/one/logs/a.log', 'log');
    const { capsules: found, problems } = readCapsules(capsules.roots);
    expect(problems).toEqual([]);
    expect(found).toMatchObject([{ origin: 'shipped', overlay: { path, text: 'as I want it' } }]);
    expect(found[0]?.hash).not.toBe(before?.hash);
  });

  test('are none, without an error, if there is no folder', () => {
    expect(readCapsules(capsules.roots)).toEqual({ capsules: [], problems: [] });
  });
});

describe('the hash of a capsule', () => {
  const hashOf = () => readCapsules(capsules.roots).capsules[0]?.hash;

  test.each([
    ['its manifest', () => capsules.writeCapsule('personal/one', { version: '1.0.1' })],
    ['its overlay', () => capsules.write('personal/one/skill.md', 'more')],
    ['its entrypoint', () => capsules.write('personal/one/entrypoint.cjs', 'evil()')],
    ['its handlers', () => capsules.write('personal/one/handlers.cjs', 'evil()')],
    ['any other file', () => capsules.write('personal/one/lib/deep/x.cjs', 'evil()')],
    ['a program among its cases', () => capsules.write('personal/one/cases/x.cjs', 'evil()')],
    ['a program below its cases', () => capsules.write('personal/one/cases/a.yaml/x', 'evil()')],
  ])('changes with %s', (_what, change) => {
    capsules.writeCapsule('personal/one');
    const before = hashOf();
    expect(hashOf()).toBe(before);
    change();
    expect(hashOf()).not.toBe(before);
  });

  test('stays with the data of its cases, which no run uses', () => {
    capsules.writeCapsule('personal/one');
    const before = hashOf();
    capsules.write('personal/one/cases/a.yaml', 'task: x');
    capsules.write('personal/one/cases/deep/shop.db', 'x');
    expect(hashOf()).toBe(before);
    capsules.write('personal/one/lib/cases/a.yaml', 'task: x');
    expect(hashOf()).not.toBe(before);
  });

  test('stays while it works: memory and logs are its record', () => {
    capsules.writeCapsule('personal/one');
    const before = hashOf();
    capsules.write('personal/one/memory.db', 'x');
    capsules.write('personal/one/memory.db-wal', 'x');
    capsules.write('personal/one/logs/1.log', 'x');
    expect(hashOf()).toBe(before);
    capsules.write('personal/one/lib/memory.db', 'x');
    expect(hashOf()).not.toBe(before);
  });
});

describe('a broken capsule folder is left out and reported', () => {
  const broken: [string, () => void, RegExp][] = [
    [
      'no manifest',
      () => capsules.write('shipped/bad/skill.md', ''),
      /bad\/manifest\.json.*it is not there/s,
    ],
    ['no JSON', () => capsules.write('shipped/bad/manifest.json', '{'), /not readable as JSON/],
    [
      'an unknown field',
      () => capsules.writeCapsule('shipped/bad', { trust: 'autonomous' }),
      /trust/,
    ],
    [
      'a missing field',
      () => capsules.writeCapsule('shipped/bad', { name: undefined }),
      / {2}name: it is missing/,
    ],
    ['an invalid version', () => capsules.writeCapsule('shipped/bad', { version: '1' }), /1\.0\.0/],
    [
      "another id than the folder's",
      () => capsules.writeCapsule('shipped/bad', { id: 'good' }),
      /differs/,
    ],
    [
      'a manifest that is too deep',
      () => {
        const path = join(capsules.writeCapsule('shipped/bad'), 'manifest.json');
        const deep = `${'['.repeat(90_000)}${']'.repeat(90_000)}`;
        const text = JSON.stringify({ ...plainManifest('bad'), tags: 'DEEP' });
        writeFileSync(path, text.replace('"DEEP"', deep));
      },
      /nested more than 64 deep/,
    ],
    ['no task kind', () => capsules.writeCapsule('shipped/bad', { task_kinds: [] }), /task_kinds/],
    [
      'two task kinds of one name',
      () => {
        const [kind] = plainManifest('bad').task_kinds;
        capsules.writeCapsule('shipped/bad', { task_kinds: [kind, kind] });
      },
      /two task kinds have the name "work"/,
    ],
    ...(
      [
        ['an absolute entrypoint', ['/bin/sh', '-c', 'x']],
        ['an entrypoint outside', ['node', '../one/entrypoint.cjs']],
        ['a missing entrypoint', ['node', 'index.cjs']],
        ['an entrypoint without a file', ['node', '-e', '0']],
        ['options for a program', ['--inspect', 'entrypoint.cjs']],
      ] as const
    ).map(([title, entrypoint]): [string, () => void, RegExp] => [
      title,
      () => void capsules.writeCapsule('shipped/bad', { entrypoint }),
      /entrypoint/,
    ]),
    [
      'an entrypoint that is in no hash',
      () => {
        capsules.write('shipped/bad/cases/main.cjs', '');
        capsules.writeCapsule('shipped/bad', { entrypoint: ['node', './cases//main.cjs'] });
      },
      /"\.\/cases\/\/main\.cjs" can't be part of the program/,
    ],
    [
      'a link among its files',
      () => symlinkSync('/etc/passwd', join(capsules.writeCapsule('shipped/bad'), 'data')),
      /neither a file nor a folder/,
    ],
    [
      'a link to no file among its cases',
      () => {
        capsules.write('shipped/bad/cases/a.yaml', 'task: x');
        const dir = capsules.writeCapsule('shipped/bad');
        symlinkSync(join(capsules.roots.personal, 'new'), join(dir, 'cases/a.record.json'));
      },
      /"cases\/a\.record\.json" is neither a file nor a folder/,
    ],
    [
      'a link as its cases',
      () => symlinkSync('../..', join(capsules.writeCapsule('shipped/bad'), 'cases')),
      /"cases" is neither a file nor a folder/,
    ],
    [
      'an entrypoint that is a link',
      () => {
        capsules.writeCapsule('shipped/bad', { entrypoint: ['node', 'main.cjs'] });
        symlinkSync('/etc/hostname', join(capsules.roots.shipped, 'bad/main.cjs'));
      },
      /is outside the capsule/,
    ],
    [
      'folders without end',
      () => {
        const dir = capsules.writeCapsule('shipped/bad');
        mkdirSync(join(dir, ...Array.from({ length: 12 }, () => 'deep')), { recursive: true });
      },
      /nested/,
    ],
    [
      'an overlay that is too long',
      () => {
        capsules.writeCapsule('shipped/bad');
        capsules.write('shipped/bad/skill.md', 'x'.repeat(300_000));
      },
      /skill\.md: it is longer than 262144 bytes/,
    ],
    [
      'an overlay that is no text',
      () => {
        capsules.writeCapsule('shipped/bad');
        capsules.write('shipped/bad/skill.md', Buffer.from([0xff, 0xfe]));
      },
      /skill\.md: it is not UTF-8/,
    ],
  ];
  test.each(broken)('%s', (_title, breakIt, problem) => {
    breakIt();
    capsules.writeCapsule('shipped/fine');
    const { capsules: found, problems } = readCapsules(capsules.roots);
    expect(found.map(({ id }) => id)).toEqual(['fine']);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
    expect(problems[0]).toContain('shipped/bad');
  });

  test('and reading it alone fails with file and field', () => {
    const dir = capsules.writeCapsule('shipped/bad', { entrypoint: [] });
    let thrown: unknown;
    try {
      readCapsule(dir, 'shipped');
    } catch (error) {
      thrown = error;
    }
    expect(failedWith(thrown, 'MANIFEST_INVALID')).toBe(true);
    expect(String(thrown)).toContain(join(dir, 'manifest.json'));
    expect(String(thrown)).toContain('entrypoint');
  });
});

test('a capsule is read while an editor has one of its files open', () => {
  const dir = capsules.writeCapsule('personal/mine');
  const { hash } = readCapsule(dir, 'personal');
  symlinkSync('me@host.12:34', join(dir, '.#skill.md'));
  expect(readCapsule(dir, 'personal').hash).toBe(hash);
  symlinkSync('/etc/passwd', join(dir, '.#other'));
  expect(() => readCapsule(dir, 'personal')).toThrow(/neither a file nor a folder/);
});
