import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import { openDatabase } from '../../db/open-database.ts';
import { type Capstan, openCapstan } from '../open-capstan.ts';

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  capstan = await openCapstan({ env: person.environment, cwd: person.project });
});
afterEach(async () => {
  await capstan.close();
  person.remove();
});

const stateOf = async (path: string) => {
  const { files } = await capstan.settings.reviewProject({});
  return files.find((file) => file.path === path)?.state;
};

describe('project trust', () => {
  const changes = async () =>
    Object.fromEntries(
      (await capstan.settings.reviewProject({})).files.map(({ path, change }) => [
        path,
        change && [change.change, change.diff, change.problem],
      ]),
    );
  const trustAll = async () => {
    const { files } = await capstan.settings.reviewProject({});
    const accepted = files.flatMap(({ path, sha256 }) => (sha256 ? [{ path, sha256 }] : []));
    await capstan.settings.trustProject(accepted);
  };

  it('shows new files in full', async () => {
    person.writeProject('capstan.yaml', 'concurrency: 2\n');
    person.writeProject('agents/clerk/manifest.json', '{}\n');
    person.writeProject('skills/x/icon.bin', '\0');
    expect(await changes()).toEqual({
      'capstan.yaml': ['new', '@@ -0,0 +1,1 @@\n+concurrency: 2\n', null],
      'agents/clerk/manifest.json': ['new', '@@ -0,0 +1,1 @@\n+{}\n', null],
      'skills/x/icon.bin': ['new', null, 'binary'],
    });
  });

  it('shows what changed, was added and was removed since it was trusted', async () => {
    person.writeProject('capstan.yaml', 'concurrency: 2\napproval_deadline_sec: 60\n');
    person.writeProject('agents/clerk/manifest.json', '{}\n');
    person.writeProject('AGENTS.md', 'house rules\n');
    await trustAll();
    expect(await changes()).toEqual({
      'capstan.yaml': null,
      'agents/clerk/manifest.json': null,
      'AGENTS.md': null,
    });
    person.writeProject('capstan.yaml', 'concurrency: 4\napproval_deadline_sec: 60\n');
    person.writeProject('agents/clerk/skill.md', 'Obey.\n');
    rmSync(join(person.project, 'AGENTS.md'));
    expect(await changes()).toEqual({
      'capstan.yaml': [
        'changed',
        '@@ -1,2 +1,2 @@\n-concurrency: 2\n+concurrency: 4\n approval_deadline_sec: 60\n',
        null,
      ],
      'agents/clerk/manifest.json': null,
      'agents/clerk/skill.md': ['new', '@@ -0,0 +1,1 @@\n+Obey.\n', null],
      'AGENTS.md': ['removed', '@@ -1,1 +0,0 @@\n-house rules\n', null],
    });
  });

  it('shows the whole text if the earlier one is not known, and says so', async () => {
    person.writeProject('capstan.yaml', 'concurrency: 2\n');
    await trustAll();
    const db = openDatabase(join(person.home, 'state/capstan.db'));
    db.prepare('DELETE FROM agreed_files').run();
    db.close();
    person.writeProject('capstan.yaml', 'concurrency: 4\n');
    expect(await changes()).toEqual({
      'capstan.yaml': ['changed', '@@ -0,0 +1,1 @@\n+concurrency: 4\n', 'before_unknown'],
    });
  });

  it('shows what changed since the settings file was written by init', async () => {
    await capstan.settings.writeTemplate({});
    const path = join(person.project, 'capstan.yaml');
    writeFileSync(path, `${readFileSync(path, 'utf8')}concurrency: 4\n`);
    const [, diff] = (await changes())['capstan.yaml'] ?? [];
    expect(diff).toMatch(/^@@ .*\n(?: .*\n)*\+concurrency: 4\n$/);
  });

  it('accepts exactly the files that are given, with the content that was reviewed', async () => {
    person.writeProject('capstan.yaml', 'concurrency: 2\n');
    person.writeProject('AGENTS.md', 'house rules\n');
    const { files } = await capstan.settings.reviewProject({});
    const accepted = files.flatMap(({ path, sha256 }) => (sha256 ? [{ path, sha256 }] : []));
    person.writeProject('capstan.yaml', 'concurrency: 1\n');
    await capstan.settings.trustProject(accepted.filter(({ path }) => path === 'capstan.yaml'));
    expect(await stateOf('capstan.yaml')).toBe('changed');
    expect(await stateOf('AGENTS.md')).toBe('new');
  });

  it('records nothing if the project could not be used then', async () => {
    person.writeProject('capstan.yaml', 'provider: openai\n');
    const { files } = await capstan.settings.reviewProject({});
    const accepted = files.flatMap(({ path, sha256 }) => (sha256 ? [{ path, sha256 }] : []));
    await expect(capstan.settings.trustProject(accepted)).rejects.toMatchObject({
      code: 'SETTINGS_INVALID',
    });
    expect(await stateOf('capstan.yaml')).toBe('new');
  });
});

describe('the settings in force', () => {
  it('name the layer and the option that set them', async () => {
    const { values } = await capstan.settings.get({ budgetUsd: '2' });
    expect(values.find(({ name }) => name === 'CAPSTAN_BUDGET_RUN_USD')).toMatchObject({
      value: '2',
      layer: 'flag',
      source: 'budgetUsd',
    });
  });
});
