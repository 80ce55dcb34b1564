import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { type OwnCapsules, ownCapsulesOf } from '../../../../test/setup/own-capsules.ts';
import { plainManifest } from '../../../../test/setup/temporary-capsules.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import {
  type AgreedCapsules,
  createAgreedCapsules,
} from '../../../broker/agreed/agreed-capsules.ts';
import { createAgreedFiles } from '../../../broker/agreed/agreed-files.ts';
import { failedWith } from '../../../contract/errors.ts';
import { openDatabase } from '../../../db/open-database.ts';
import { openMemory } from '../../../memory/open-memory.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { readCapsule } from '../../../registry/capsule-store.ts';
import { command } from './capsules.ts';

let person: Person;
let own: OwnCapsules['own'];
let writeOwn: OwnCapsules['writeOwn'];
let run: OwnCapsules['run'];
beforeEach(() => {
  person = temporaryPerson();
  ({ own, writeOwn, run } = ownCapsulesOf(person));
});
afterEach(() => person.remove());

describe('capstan capsules list', () => {
  it('prints one line per capsule', async () => {
    writeOwn('my-capsule', { description: 'Does\n\u202Emuch.' });
    const { code, out } = await run('list');
    expect(code).toBe(0);
    expect(out).toMatch(/^my-capsule\tready\tpersonal\thandler\t0(?:\t-){4}\tDoes \\u202emuch\.$/m);
  });

  it('prints JSON', async () => {
    writeOwn('my-capsule');
    const { out } = await run('list', [], { json: true });
    expect(JSON.parse(out)).toContainEqual({
      id: 'my-capsule',
      name: 'my-capsule',
      origin: 'personal',
      version: '1.0.0',
      description: 'Does the work of my-capsule.',
      task_kinds: [{ name: 'work', mode: 'handler' }],
      tools: [],
      skills: [],
      status: 'ready',
      quarantine: null,
      metrics: null,
    });
  });

  it("shows a project's capsules once the project is trusted", async () => {
    person.writeProject('agents/theirs/manifest.json', JSON.stringify(plainManifest('theirs')));
    person.writeProject('agents/theirs/entrypoint.cjs', '');
    expect((await run('list')).out).not.toContain('theirs');
    expect((await run('list', [], { trustProject: true })).out).toMatch(
      /^theirs\tready\tproject\t/m,
    );
  });

  it('reports on stderr which capsules it left out', async () => {
    writeOwn('broken', { version: 'one' });
    const { code, out, errors } = await run('list', [], { json: true });
    expect(code).toBe(0);
    expect(JSON.parse(out)).not.toContainEqual(expect.objectContaining({ id: 'broken' }));
    expect(errors).toContain(own('broken/manifest.json'));
    expect(errors).toContain('version');
  });
});

describe('capstan capsules inspect', () => {
  it('shows purpose, grants and memory of a capsule', async () => {
    writeOwn('mine', {
      grants: { tools: { file_io: { operations: ['read'], paths: ['src/**'] }, terminal: {} } },
      task_kinds: [
        { name: 'work', mode: 'handler', description: 'Works.', examples: ['do the work'] },
      ],
    });
    const memory = openMemory(own('mine/memory.db'));
    memory.remember([
      { text: 'x', source: 'a:0', workspace: '/work', runId: 'r', isUntrusted: false },
    ]);
    memory.close();
    const { code, out } = await run('inspect', ['mine']);
    expect(code).toBe(0);
    expect(out).toMatch(/remembers +1 item\n/);
    expect(out).toMatch(/file_io +operations: read · paths: src\/\*\*/);
    expect(out).toMatch(/terminal +nothing but the tool itself/);
    expect(out).toContain('“do the work”');
    const { out: json } = await run('inspect', ['mine'], { json: true });
    expect(JSON.parse(json)).toMatchObject({ id: 'mine', dir: own('mine'), memories: 1 });
  });

  it('lists the known capsules if the id is unknown', async () => {
    writeOwn('mine');
    const { code } = await run('inspect', ['nobody']);
    expect(failedWith(code, 'CAPSULE_UNKNOWN')).toBe(true);
    expect(String(code)).toContain('mine');
  });
});

describe('a broken capsule of the user', () => {
  it.each([
    ['a tool', { grants: { tools: { telepathy: {} } } }, 'there is no tool "telepathy"'],
    ['a skill', { skills: ['levitation'] }, '"levitation"'],
  ])(
    'is left out of the list if it needs %s that does not exist, as in a run',
    async (_what, changes, why) => {
      writeOwn('mine');
      writeOwn('broken', changes);
      const { out, errors } = await run('list', [], { json: true });
      const ids = (JSON.parse(out) as { id: string }[]).map(({ id }) => id);
      expect(ids).toContain('mine');
      expect(ids).not.toContain('broken');
      expect(errors).toContain(why);
      expect(errors).toContain('left out');
      expect((await run('inspect', ['broken'])).errors).toContain(why);
    },
  );

  it('shows what is wrong with an invalid capsule', async () => {
    writeOwn('broken', { version: 'one' });
    const { code, errors } = await run('inspect', ['broken']);
    expect(failedWith(code, 'MANIFEST_INVALID')).toBe(true);
    expect(errors).toBe('');
    expect(String(code)).toContain('  version: must look like 1.0.0. Correct it.');
  });

  it('can be deleted, and its entrypoint rewritten', async () => {
    writeOwn('broken', { version: 'one' });
    const { out } = await run('rewrite-entrypoints', [], { json: true });
    expect(JSON.parse(out)).toEqual([{ id: 'broken', outcome: 'rewritten' }]);
    expect((await run('delete', ['broken'], { yes: true })).code).toBe(0);
    expect(existsSync(own('broken'))).toBe(false);
  });
});

describe('capstan capsules delete', () => {
  it('keeps deleted capsules in the archive, readable by the owner only', async () => {
    writeOwn('mine');
    const { code, out } = await run('delete', ['mine'], { yes: true });
    expect(code).toBe(0);
    expect(existsSync(own('mine'))).toBe(false);
    const archive = join(person.home, 'data/archive');
    const [kept = ''] = readdirSync(archive);
    expect(kept).toMatch(/^mine-2/);
    expect(out).toContain(join(archive, kept));
    expect(statSync(archive).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(archive, kept))).toContain('manifest.json');
  });

  it.each([
    ['y\n', 0, false],
    ['n\n', 1, true],
    ['', 1, true],
  ])('asks on a terminal: %j', async (answer, exitCode, stays) => {
    writeOwn('mine');
    const terminal = { isTerminal: true, input: Readable.from([answer]) };
    const { code, errors } = await run('delete', ['mine'], {}, terminal);
    expect(errors).toContain('Delete the capsule "mine"?');
    expect(code).toBe(exitCode);
    expect(existsSync(own('mine'))).toBe(stays);
  });

  it('needs --yes without a terminal', async () => {
    writeOwn('mine');
    const { code } = await run('delete', ['mine']);
    expect(String(code)).toContain('--yes');
    expect(existsSync(own('mine'))).toBe(true);
  });

  it.each(['nobody', '..', '../agents/mine', ''])('refuses %j', async (id) => {
    writeOwn('mine');
    const { code } = await run('delete', [id], { yes: true });
    expect(failedWith(code, 'CAPSULE_UNKNOWN')).toBe(true);
    expect(existsSync(own('mine'))).toBe(true);
  });

  it("refuses a capsule that is not the user's own", async () => {
    person.writeProject('agents/theirs/manifest.json', JSON.stringify(plainManifest('theirs')));
    person.writeProject('agents/theirs/entrypoint.cjs', '');
    const { code } = await run('delete', ['theirs'], { yes: true, trustProject: true });
    expect(failedWith(code, 'USAGE')).toBe(true);
    expect(String(code)).toContain('Only your own');
  });
});

describe('capstan capsules rewrite-entrypoints', () => {
  it('reports what it did for each capsule', async () => {
    writeOwn('mine');
    writeOwn('other');
    writeFileSync(own('other/entrypoint.cjs'), 'my own program');
    const { code, out } = await run('rewrite-entrypoints', [], { json: true });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([
      { id: 'mine', outcome: 'rewritten' },
      { id: 'other', outcome: 'own' },
    ]);
    expect(readFileSync(own('mine/entrypoint.cjs'), 'utf8')).toContain('start({});');
    expect((await run('rewrite-entrypoints')).out).toMatch(/mine +already current/);
  });

  it('keeps earlier approvals of capsules, and adds none', async () => {
    writeOwn('mine');
    writeOwn('changed');
    const path = join(person.home, 'state/capstan.db');
    const hashOf = (id: string) => readCapsule(own(id), 'personal').hash;
    const agreedTo = (change?: (agreed: AgreedCapsules) => void) => {
      const db = openDatabase(path);
      const agreed = createAgreedCapsules(db, () => new Date(), createAgreedFiles(db, noSecrets));
      change?.(agreed);
      const found = ['mine', 'changed'].map((id) => agreed.hashOf(id, own(id)));
      db.close();
      return found;
    };
    agreedTo(({ agree }) => {
      agree({ capsuleId: 'mine', dir: own('mine'), hash: hashOf('mine'), by: 'person' });
      agree({ capsuleId: 'changed', dir: own('changed'), hash: 'what it was', by: 'person' });
    });
    await run('rewrite-entrypoints');
    expect(agreedTo()).toEqual([hashOf('mine'), 'what it was']);
  });

  it('has nothing to do without capsules', async () => {
    expect((await run('rewrite-entrypoints')).out).toBe('You have no capsules of your own.\n');
  });
});

it('capstan capsules without a subcommand lists the subcommands', async () => {
  const io = ioOf({ environment: person.environment, cwd: person.project });
  expect(await command.run({ positionals: [], options: {} }, io)).toBe(2);
  expect(io.errors()).toContain('Usage: capstan capsules <command>');
});
