import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainManifest } from '../../../test/setup/temporary-capsules.ts';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import { failedWith } from '../../contract/errors.ts';
import { type Capstan, openCapstan } from '../open-capstan.ts';

const KEY = 'key-of-the-test-0123456789';

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  const env = { ...person.environment, OPENAI_API_KEY: KEY, CAPSTAN_PROVIDER: 'offline' };
  capstan = await openCapstan({ env, cwd: person.project });
});
afterEach(async () => {
  await capstan.close();
  person.remove();
});

const own = (path = '') => join(person.home, 'data/agents', path);

function writeOwn(id: string) {
  mkdirSync(own(id), { recursive: true, mode: 0o700 });
  writeFileSync(own(`${id}/manifest.json`), JSON.stringify(plainManifest(id)));
  writeFileSync(own(`${id}/entrypoint.cjs`), "'use strict';\n");
}

const failure = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** Every file below a folder that contains a text. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));

it('creates no database by looking at capsules', async () => {
  await capstan.capsules.list();
  await capstan.capsules.get('summarizer');
  await capstan.capsules.export('summarizer');
  expect(readdirSync(person.home)).not.toContain('state');
});

it('reports a capsule that it leaves out', async () => {
  writeOwn('mine');
  writeFileSync(own('mine/manifest.json'), '{');
  const notices: string[] = [];
  await capstan.capsules.list({ onNotice: (text) => notices.push(text) });
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain(own('mine/manifest.json'));
  const [broken, ...others] = await capstan.capsules.broken();
  expect(others).toEqual([]);
  expect(broken?.id).toBe('mine');
  expect(broken?.problem).toContain(own('mine/manifest.json'));
});

describe('an import', () => {
  const path = 'mine.capsule.json';
  beforeEach(async () => {
    writeOwn('mine');
    const { text } = await capstan.capsules.export('mine');
    writeFileSync(join(person.project, path), text);
    await capstan.capsules.archive('mine');
  });

  it('is read first and leaves nothing, then performed with the hash that the user agreed to', async () => {
    const { id, manifest, sha256, files } = await capstan.capsules.readArchive(path);
    expect({ id, name: manifest.name }).toEqual({ id: 'mine', name: 'mine' });
    expect(files.map((file) => file.path)).toEqual(['entrypoint.cjs', 'manifest.json']);
    expect(readdirSync(own())).toEqual([]);
    const capsule = await capstan.capsules.import(path, { sha256 });
    expect(capsule.dir).toBe(own('mine'));
    expect(readdirSync(own())).toEqual(['mine']);
  });

  it('is refused if the archive changed after it was shown', async () => {
    const { sha256 } = await capstan.capsules.readArchive(path);
    writeOwn('mine');
    writeFileSync(own('mine/entrypoint.cjs'), 'evil();');
    writeFileSync(join(person.project, path), (await capstan.capsules.export('mine')).text);
    await capstan.capsules.archive('mine');
    const error = await failure(capstan.capsules.import(path, { sha256 }));
    expect(failedWith(error, 'ARCHIVE_INVALID')).toBe(true);
    expect(String(error)).toContain('it changed after you had agreed to it');
    expect(readdirSync(own())).toEqual([]);
  });

  it('is refused in plain words if there is no such file', async () => {
    const error = await failure(capstan.capsules.readArchive('nope.json'));
    expect(error).toMatchObject({
      code: 'USAGE',
      details: { field: 'path', problem: 'There is no file or folder "nope.json".' },
    });
  });

  it('names the argument if the id is taken', async () => {
    const error = await failure(capstan.capsules.readArchive(path, { as: 'summarizer' }));
    expect(failedWith(error, 'USAGE') && error.details).toEqual({
      field: 'id',
      problem: 'The id "summarizer" belongs to a shipped capsule.',
    });
  });
});

describe('a new capsule', () => {
  it('is proposed without a trace, then created as proposed', async () => {
    const proposal = await capstan.capsules.propose('Translate cooking recipes', { id: 'cook' });
    expect(proposal).toMatchObject({ manifest: { id: 'cook' }, twin: undefined });
    expect(() => readdirSync(own())).toThrow('ENOENT');
    const { dir } = await capstan.capsules.create(JSON.parse(JSON.stringify(proposal)));
    expect(dir).toBe(own('cook'));
    const again = await failure(
      capstan.capsules.create({ ...proposal, overlay: 'Another one with the same id.' }),
    );
    expect(failedWith(again, 'PLACE_UNUSABLE')).toBe(true);
  });

  it.each([
    ['id', { id: 'summarizer' }],
    ['tools', { tools: ['root'] }],
    ['skills', { skills: ['root'] }],
  ])('names the argument %s if it is wrong', async (field, options) => {
    const error = await failure(capstan.capsules.propose('Translate', options));
    expect(failedWith(error, 'USAGE') && error.details.field).toBe(field);
  });

  it("can't take the place of a shipped one, or have an invalid manifest", async () => {
    const proposal = await capstan.capsules.propose('Translate cooking recipes', { id: 'cook' });
    const create = (changes: Record<string, unknown>) =>
      failure(
        capstan.capsules.create({
          ...proposal,
          manifest: { ...proposal.manifest, ...changes },
        }),
      );
    for (const changes of [{ id: 'summarizer' }, { id: '../x' }, { id: 'skills' }, { version: 1 }])
      expect(failedWith(await create(changes), 'USAGE')).toBe(true);
    expect(() => readdirSync(own())).toThrow('ENOENT');
  });
});

it('writes no secret that a caller passes in any argument', async () => {
  const { capsules } = capstan;
  const proposal = await capsules.propose(`Translate with ${KEY}`, {
    name: `Name ${KEY}`,
    role: `You use ${KEY}.`,
  });
  await capsules.create({ ...proposal, overlay: `Use ${KEY}.\n` });
  await failure(capsules.propose('Translate', { id: KEY }));
  await capsules.quarantine('summarizer', { reason: `It saw ${KEY}`, by: `web ${KEY}` });
  await failure(capsules.restore(KEY));
  await failure(capsules.get(KEY));
  await capsules.prompt('summarizer', { task: `Say ${KEY}` });
  await failure(capsules.saveOverlay('summarizer', KEY));
  await failure(capsules.compare('summarizer', { against: KEY }));
  const signal = AbortSignal.timeout(3_000);
  const subject = { task: `Say ${KEY}` };
  for await (const { type } of capsules.develop('file-clerk', { subject, signal }))
    if (type === 'run.ended' || type === 'run.failed') break;
  expect((await capsules.get('summarizer')).quarantine?.reason).toContain('[secret removed');
  await capstan.close();
  expect(filesWith(person.home, KEY)).toEqual([]);
});
