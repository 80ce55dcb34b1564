import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainManifest } from '../../../test/setup/temporary-capsules.ts';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import { openDatabase } from '../../db/open-database.ts';
import { type Capstan, openCapstan } from '../open-capstan.ts';

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
  const manifest = { ...plainManifest('clerk'), skills: ['house_style'] };
  write('manifest.json', JSON.stringify(manifest));
  write('entrypoint.cjs', 'require(process.env.CAPSTAN_SDK).start();');
  write('skill.md', 'Count.\n');
  writeSkill('Be brief.');
});
afterEach(async () => {
  await capstan.close();
  person.remove();
});

const write = (path: string, text: string) => person.writeProject(`agents/clerk/${path}`, text);
const writeSkill = (text: string) =>
  person.writeProject('skills/house_style.md', `---\nname: H\ndescription: d\n---\n${text}\n`);

const review = async () => (await capstan.settings.reviewProject({})).files;
async function trust(files?: Awaited<ReturnType<typeof review>>) {
  const accepted = (files ?? (await review())).flatMap(({ path, sha256 }) =>
    sha256 ? [{ path, sha256 }] : [],
  );
  await capstan.settings.trustProject(accepted);
}

async function run() {
  const started = await capstan.runs.start({
    ...{ task: 'Do it', capsule: 'clerk', isIsolationWaived: true },
    settings: { provider: 'offline' },
  });
  const { status } = await started.finished;
  return { status, questions: await capstan.approvals.list() };
}

const inDatabase = <T>(work: (db: ReturnType<typeof openDatabase>) => T): T => {
  const db = openDatabase(join(person.home, 'state/capstan.db'));
  try {
    return work(db);
  } finally {
    db.close();
  }
};

describe('trusting the files of a project', () => {
  it('is the consent that its capsules run with them: no run asks again', async () => {
    await trust();
    expect((await run()).questions).toEqual([]);
    write('skill.md', 'Count all.\n');
    const change = (await review()).find(({ path }) => path.endsWith('skill.md'))?.change;
    expect(change?.diff).toContain('+Count all.');
    await trust();
    expect((await run()).questions).toEqual([]);
    expect((await capstan.audit.verify()).problems).toEqual([]);
  });

  it('takes the trust from a capsule that changed, and from no other', async () => {
    await trust();
    await run();
    const count = "SELECT count(*) FROM trust WHERE capsule_id = 'clerk'";
    inDatabase((db) =>
      db.exec("INSERT INTO trust VALUES ('clerk', 1, 'autonomous', 60, 0, 0, '2026-01-01')"),
    );
    writeSkill('Be kind.');
    await trust();
    expect(inDatabase((db) => db.prepare(count).pluck().get())).toBe(1);
    write('skill.md', 'Count all.\n');
    await trust();
    expect(inDatabase((db) => db.prepare(count).pluck().get())).toBe(0);
  });

  it('does not approve files that changed after they were shown', async () => {
    await trust();
    await run();
    write('skill.md', 'Count all.\n');
    const shown = await review();
    write('skill.md', 'Send it on.\n');
    await trust(shown);
    await expect(run()).rejects.toMatchObject({ code: 'CAPSULE_UNKNOWN' });
    const agreed = inDatabase((db) =>
      db.prepare("SELECT files FROM agreed_files WHERE owner LIKE 'capsule:%'").pluck().all(),
    );
    expect(JSON.stringify(agreed)).not.toContain('Send it on.');
    const started = await capstan.runs.start({
      ...{ task: 'Do it', capsule: 'clerk', isIsolationWaived: true },
      settings: { provider: 'offline', trustProject: true },
    });
    expect((await started.finished).status).toBe('parked');
    expect((await capstan.approvals.list())[0]?.details).toContain('+Send it on.');
  });

  it('lasts when cases and records are new, changed or removed', async () => {
    await trust();
    write('cases/harbour.yaml', 'task: Do it\nexpect: {}\n');
    expect((await run()).questions).toEqual([]);
    write('cases/harbour.record.json', '{}');
    expect((await review()).filter(({ state }) => state !== 'trusted')).toEqual([]);
    rmSync(join(person.project, 'agents/clerk/cases'), { recursive: true });
    expect((await run()).questions).toEqual([]);
  });
});

describe('a capsule of a project that is not trusted', () => {
  /** Reads the settings, and so the project, as they are now. */
  const now = { settings: {} };
  const promptOf = async (named: string) => {
    const { layers } = await capstan.capsules.prompt(named, now);
    return layers.map(({ text }) => text).join('\n');
  };

  it.each(['clerk', './agents/clerk'])(
    'can be viewed and checked as %s, with its skills',
    async (named) => {
      await trust();
      write('skill.md', 'Count all.\n');
      writeSkill('Be kind.');
      expect(await promptOf(named)).toMatch(/Be kind\.[\s\S]*Count all\./);
      const { findings } = await capstan.capsules.check(named, { ...now, isIsolationWaived: true });
      expect(findings.filter(({ rule }) => rule === 'manifest.skill')).toEqual([]);
      await expect(
        capstan.capsules.compare(named, { ...now, against: 'abcd' }),
      ).rejects.toMatchObject({ code: 'OVERLAY_UNKNOWN' });
    },
  );

  it('can be inspected, with a note that runs leave it out', async () => {
    const notices: string[] = [];
    const { capsule } = await capstan.capsules.get('clerk', {
      ...now,
      onNotice: (it) => notices.push(it),
    });
    expect(capsule.overlay?.text).toBe('Count.\n');
    expect(notices.join()).toContain('are not trusted, so runs leave it out');
  });

  it('is refused by a run, whose error says that it is not trusted', async () => {
    await expect(run()).rejects.toMatchObject({
      code: 'CAPSULE_UNKNOWN',
      message:
        'Capsule "clerk" of this project is not trusted as it is now. Review its files, then trust them.',
    });
  });

  it('is refused by a run if only a skill is not trusted, and the error says so', async () => {
    await trust();
    writeSkill('Be kind.');
    await expect(run()).rejects.toMatchObject({
      code: 'SKILL_UNKNOWN',
      message: expect.stringMatching(
        /names the skill "house_style" of this project, which is not trusted as it is now\./,
      ),
    });
  });
});
