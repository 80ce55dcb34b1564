import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OwnCapsules, ownCapsulesOf } from '../../../../test/setup/own-capsules.ts';
import { plainManifest } from '../../../../test/setup/temporary-capsules.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { createAgreedCapsules } from '../../../broker/agreed/agreed-capsules.ts';
import { createAgreedFiles } from '../../../broker/agreed/agreed-files.ts';
import { failedWith } from '../../../contract/errors.ts';
import { escapeText } from '../../../contract/text/escape-text.ts';
import { openDatabase } from '../../../db/open-database.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { readCapsule } from '../../../registry/capsule-store.ts';

let person: Person;
let own: OwnCapsules['own'];
let writeOwn: OwnCapsules['writeOwn'];
let run: OwnCapsules['run'];
beforeEach(async () => {
  person = temporaryPerson();
  ({ own, writeOwn, run } = ownCapsulesOf(person));
  writeOwn('mine', {
    name: 'Mine\u202E\u001b[2J',
    grants: { tools: { terminal: { commands: ['git **'] } }, services: ['weather'] },
  });
  writeFileSync(own('mine/skill.md'), 'Be honest.\n\u001b[1A\u202Ehidden');
  expect((await run('export', ['mine'])).code).toBe(0);
  expect((await run('delete', ['mine'], { yes: true })).code).toBe(0);
});
afterEach(() => person.remove());

const archive = 'mine.capsule.json';
const terminal = (answer: string) => ({ isTerminal: true, input: Readable.from([answer]) });

describe('capstan capsules export', () => {
  it('writes one file with mode 0600, or to stdout', async () => {
    const path = join(person.project, archive);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await run('restore', ['mine']);
    const { out } = await run('export', ['mine'], { out: '-' });
    expect(out).toBe(readFileSync(path, 'utf8'));
  });

  it('exports a shipped capsule with your overlay', async () => {
    mkdirSync(own('summarizer'), { recursive: true });
    writeFileSync(own('summarizer/skill.md'), 'My own words.');
    const { out } = await run('export', ['summarizer'], { out: '-' });
    expect(out).toContain('"text": "My own words."');
  });
});

describe('capstan capsules import', () => {
  it('shows grants, manifest and overlay, everything escaped, and asks', async () => {
    const { code, errors, out } = await run('import', [archive], {}, terminal('y\n'));
    expect({ code, out }).toEqual({ code: 0, out: `Imported "mine": ${own('mine')}\n` });
    expect(errors).toMatch(/terminal +commands: git \*\*\n +weather +a paid service/);
    expect(errors).toContain('│   "description": "Does the work of mine."');
    expect(errors).toContain('│ Be honest.\n  │ \\u001b[1A\\u202ehidden');
    expect(errors).toContain('its own program');
    expect(escapeText(errors, true)).toBe(errors);
    expect(readdirSync(own()).sort()).toEqual(['mine']);
    expect(statSync(own('mine/manifest.json')).mode & 0o777).toBe(0o600);
    const db = openDatabase(join(person.home, 'state/capstan.db'));
    const { hash } = readCapsule(own('mine'), 'personal');
    expect(
      createAgreedCapsules(db, () => new Date(), createAgreedFiles(db, noSecrets)).hashOf(
        'mine',
        own('mine'),
      ),
    ).toBe(hash);
    db.close();
  });

  it('imports nothing if the answer is no', async () => {
    const { code } = await run('import', [archive], {}, terminal('n\n'));
    expect(code).toBe(1);
    expect(readdirSync(own())).toEqual([]);
  });

  it('fails without a terminal and --yes', async () => {
    const { code } = await run('import', [archive]);
    expect(failedWith(code, 'USAGE')).toBe(true);
    expect(String(code)).toContain('--yes');
    expect(readdirSync(own())).toEqual([]);
  });

  it('removes files left by an import that was killed', async () => {
    mkdirSync(own('.draft-999999999-f00'));
    mkdirSync(own(`.draft-${process.pid}-f00`));
    await run('import', [archive], { yes: true });
    expect(readdirSync(own()).sort()).toEqual([`.draft-${process.pid}-f00`, 'mine']);
  });

  it('does not wait for a named pipe', async () => {
    execFileSync('mkfifo', [join(person.project, 'pipe')]);
    const { code } = await run('import', ['pipe'], { yes: true });
    expect(String(code)).toContain('this is not a file');
  });

  it('imports without a question with --yes', async () => {
    const { code, out } = await run('import', [archive], { yes: true, json: true });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      imported: 'mine',
      grants: { tools: { terminal: { commands: ['git **'] } }, services: ['weather'] },
    });
  });

  it.each(['mine', 'file-clerk'])('refuses the taken id %s', async (id) => {
    writeOwn('mine');
    const before = readFileSync(own('mine/manifest.json'), 'utf8');
    const asked = id === 'mine' ? {} : { as: id };
    const { code } = await run('import', [archive], { yes: true, ...asked });
    expect(failedWith(code, 'USAGE')).toBe(true);
    expect(String(code)).toContain('--as');
    expect(readFileSync(own('mine/manifest.json'), 'utf8')).toBe(before);
  });

  it('takes another id with --as', async () => {
    writeOwn('mine');
    expect((await run('import', [archive], { yes: true, as: 'theirs' })).code).toBe(0);
    expect(readCapsule(own('theirs'), 'personal').manifest).toMatchObject({ id: 'theirs' });
  });

  it.each(['../x', 'skills', 'coordinator', 'A', ''])('refuses --as %j', async (as) => {
    const { code } = await run('import', [archive], { yes: true, as });
    expect(failedWith(code, 'USAGE')).toBe(true);
    expect(existsSync(join(person.home, 'data/x'))).toBe(false);
  });

  it.each<[string, (manifest: Record<string, unknown>) => unknown, string]>([
    ['is invalid', (m) => ({ ...m, version: 'one' }), 'version'],
    [
      'starts something outside',
      (m) => ({ ...m, entrypoint: ['node', '../../x.cjs'] }),
      'entrypoint',
    ],
    ['asks for an unknown tool', (m) => ({ ...m, grants: { tools: { root: {} } } }), '"root"'],
    ['is not object', () => [], 'manifest'],
  ])(
    'refuses a capsule whose manifest %s, and leaves nothing behind',
    async (_, change, problem) => {
      await run('restore', ['mine']);
      const path = own('mine/manifest.json');
      const good = JSON.parse(readFileSync(path, 'utf8'));
      await run('export', ['mine']);
      const { packed } = await repack(path, JSON.stringify(change(good)));
      writeFileSync(join(person.project, 'bad.json'), packed);
      await run('delete', ['mine'], { yes: true });
      const { code } = await run('import', ['bad.json'], { yes: true });
      expect(failedWith(code, 'ARCHIVE_INVALID')).toBe(true);
      expect(String(code)).toContain(problem);
      expect(readdirSync(own())).toEqual([]);
    },
  );

  describe('of a folder', () => {
    const folder = () => join(person.project, 'agents/mine');
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder(), path)), { recursive: true });
      writeFileSync(join(folder(), path), text);
    };
    beforeEach(() => {
      const manifest = { ...plainManifest('mine'), grants: { tools: { file_io: {} } } };
      write('manifest.json', JSON.stringify(manifest));
      write('entrypoint.cjs', 'require(process.env.CAPSTAN_SDK).start();');
      write('skill.md', 'Be honest.\n');
      write('lib/a.cjs', 'a();\n');
      write('memory.db', 'what it remembers');
      write('logs/1.log', 'what it did');
      for (let at = 0; at < 600; at++) write(`.git/objects/${at}`, 'x');
    });

    it('shows its grants and files and asks; memory, logs and hidden files are left out', async () => {
      const { code, errors } = await run('import', ['./agents/mine'], {}, terminal('y\n'));
      expect(code).toBe(0);
      expect(errors).toMatch(/Grants\n +file_io/);
      expect(errors).toMatch(/Files\n +entrypoint\.cjs .*\n +lib\/a\.cjs .*\n +manifest\.json /);
      expect(errors).toContain('with these grants and files?');
      expect(readdirSync(own('mine')).sort()).toEqual([
        ...['entrypoint.cjs', 'lib', 'manifest.json', 'skill.md'],
      ]);
    });

    it('asks nothing with --yes, and fails without a terminal', async () => {
      expect(String((await run('import', [folder()])).code)).toContain('--yes');
      expect(existsSync(own('mine'))).toBe(false);
      const { code, out } = await run('import', [folder()], { yes: true, as: 'theirs' });
      expect([code, out]).toEqual([0, `Imported "theirs": ${own('theirs')}\n`]);
    });

    it('is refused if a file changed after it was shown', async () => {
      const input = Readable.from(
        (async function* () {
          write('lib/a.cjs', 'b();\n');
          yield 'y\n';
        })(),
      );
      const { code } = await run('import', ['agents/mine'], {}, { isTerminal: true, input });
      expect(String(code)).toContain('it changed after you had agreed to it');
      expect(existsSync(own('mine'))).toBe(false);
    });

    it.each<[string, () => void, string]>([
      ['no manifest', () => rmSync(join(folder(), 'manifest.json')), 'it has no manifest.json'],
      ['a broken manifest', () => write('manifest.json', '{'), 'manifest.json: it is not JSON'],
      [
        'a manifest without id',
        () => write('manifest.json', 'null'),
        'manifest.json: it has no id',
      ],
      ['an invalid manifest', () => write('manifest.json', '{"id": "mine"}'), 'version'],
      ['a link', () => symlinkSync('/etc', join(folder(), 'etc')), '"etc" is neither a file nor'],
    ])('is refused with %s', async (_what, spoil, problem) => {
      spoil();
      const { code } = await run('import', ['./agents/mine'], { yes: true });
      expect(failedWith(code, 'CAPSULE_FOLDER_INVALID')).toBe(true);
      expect(String(code)).toMatch(/^\w+: \.\/agents\/mine can't be imported: /);
      expect(String(code)).toContain(problem);
      expect(readdirSync(own())).toEqual([]);
    });

    it('can be exported, and is the same as its export', async () => {
      rmSync(join(folder(), '.git'), { recursive: true });
      const exported = await run('export', ['./agents/mine'], { out: 'x.json', json: true });
      expect(JSON.parse(exported.out)).toMatchObject({ exported: 'mine', files: 4 });
      const shown = async (path: string) =>
        /sha256 +(\w+)/.exec((await run('import', [path], {}, terminal('n\n'))).errors)?.[1];
      expect(await shown('x.json')).toBe(await shown('./agents/mine'));
    });
  });

  it.each([
    ['nothing.json', 'USAGE'],
    ['pipe', 'ARCHIVE_INVALID'],
  ] as const)('refuses %s as an archive: %s', async (name, expected) => {
    symlinkSync('/dev/zero', join(person.project, 'pipe'));
    const { code } = await run('import', [name], { yes: true });
    expect(failedWith(code, expected)).toBe(true);
  });

  it('refuses an archive that is not UTF-8, and shows its name without its control characters', async () => {
    writeFileSync(join(person.project, 'a\u001b[2J.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    const { code } = await run('import', ['a\u001b[2J.json'], { yes: true });
    expect(failedWith(code, 'ARCHIVE_INVALID')).toBe(true);
    expect(String(code)).toContain("a\\u001b[2J.json can't be imported: it is not UTF-8.");
  });
});

/** The archive of a capsule with a manifest that `export` would not write. */
async function repack(path: string, manifest: string) {
  const { packCapsule } = await import('../../../registry/archive/capsule-archive.ts');
  const capsule = readCapsule(own('mine'), 'personal');
  writeFileSync(path, manifest);
  return { packed: packCapsule(capsule).text };
}
