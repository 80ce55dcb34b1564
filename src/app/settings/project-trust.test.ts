import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../../../test/temporary-person.ts';
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
  it('shows the content of new settings, rules and instructions, and only the names of the rest', async () => {
    person.writeProject('capstan.yaml', 'concurrency: 2\n');
    person.writeProject('agents/clerk/manifest.json', '{}');
    const { files, isTrustNeeded } = await capstan.settings.reviewProject({});
    expect(isTrustNeeded).toBe(true);
    expect(files.map(({ path, text }) => [path, text])).toEqual([
      ['capstan.yaml', 'concurrency: 2\n'],
      ['agents/clerk/manifest.json', null],
    ]);
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
