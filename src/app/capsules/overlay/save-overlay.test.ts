import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainManifest } from '../../../../test/setup/temporary-capsules.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { createAgreedCapsules } from '../../../broker/agreed/agreed-capsules.ts';
import { createAgreedFiles } from '../../../broker/agreed/agreed-files.ts';
import { verifyAudit } from '../../../broker/audit/verify-audit.ts';
import { failedWith } from '../../../contract/errors.ts';
import { agreedHashOf } from '../../../coordinator/agreed-capsule.ts';
import { type Db, openDatabase } from '../../../db/open-database.ts';
import { noSecrets, REDACTED } from '../../../policy/secrets/redact.ts';
import { overlayVersion } from '../../../registry/capsule-metrics.ts';
import { type Capstan, openCapstan } from '../../open-capstan.ts';

const KEY = 'key-of-the-test-0123456789';

let person: Person;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  const env = { ...person.environment, OPENAI_API_KEY: KEY };
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

function inDatabase<T>(body: (db: Db) => T): T {
  const db = openDatabase(join(person.home, 'state/capstan.db'));
  try {
    return body(db);
  } finally {
    db.close();
  }
}

const agree = (capsuleId: string, dir: string, hash: string) =>
  inDatabase((db) =>
    createAgreedCapsules(db, () => new Date(), createAgreedFiles(db, noSecrets)).agree({
      capsuleId,
      dir,
      hash,
      by: 'person',
    }),
  );

const agreedHash = (id: string, dir: string) =>
  inDatabase((db) =>
    createAgreedCapsules(db, () => new Date(), createAgreedFiles(db, noSecrets)).hashOf(id, dir),
  );

const failure = (saving: Promise<unknown>) => saving.catch((error: unknown) => error);

it('a shipped capsule with a saved overlay is listed as edited', async () => {
  const isEdited = async () => (await capstan.capsules.get('file-clerk')).isEdited;
  expect(await isEdited()).toBe(false);
  await capstan.capsules.saveOverlay('file-clerk', 'Be brief.\n');
  expect(await isEdited()).toBe(true);
});

it('overlays a shipped capsule in the data folder, for its owner alone', async () => {
  const saved = await capstan.capsules.saveOverlay('summarizer', 'Be brief.\n');
  const text = 'Be brief.\n';
  const path = own('summarizer/skill.md');
  expect(saved).toEqual({
    id: 'summarizer',
    path,
    version: overlayVersion({ path, text }),
    findings: [],
  });
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(own())).toEqual(['summarizer']);
  const { capsule, overlayVersion: version } = await capstan.capsules.get('summarizer');
  expect(capsule.overlay).toEqual({ path, text });
  expect(version).toBe(saved.version);
});

it('reports warnings about the text', async () => {
  const { findings } = await capstan.capsules.saveOverlay('summarizer', 'Use the skill `nothing`.');
  expect(findings).toMatchObject([{ rule: 'overlay.skill', severity: 'warning' }]);
});

it('keeps an approval, so that the next run asks nothing', async () => {
  writeOwn('mine');
  const before = (await capstan.capsules.get('mine')).capsule;
  agree('mine', before.dir, before.hash);
  await capstan.capsules.saveOverlay('mine', 'Be brief.', { by: 'web' });
  const after = (await capstan.capsules.get('mine')).capsule;
  expect(after.hash).not.toBe(before.hash);
  expect(agreedHash('mine', before.dir)).toBe(after.hash);
  const actions = inDatabase((db) =>
    db.prepare("SELECT action FROM audit WHERE actor = 'person:web' ORDER BY rowid").pluck().all(),
  );
  expect(actions).toEqual(['capsule.agreed', 'capsule.overlay_saved']);
  expect(inDatabase((db) => verifyAudit(db).problems)).toEqual([]);
});

it('keeps the approval of the earlier overlay of a shipped capsule', async () => {
  await capstan.capsules.saveOverlay('summarizer', 'One.');
  const one = (await capstan.capsules.get('summarizer')).capsule;
  agree('summarizer', one.dir, agreedHashOf(one));
  await capstan.capsules.saveOverlay('summarizer', 'Two.');
  const two = (await capstan.capsules.get('summarizer')).capsule;
  expect(agreedHash('summarizer', one.dir)).toBe(agreedHashOf(two));
});

it('does not approve other changed files', async () => {
  writeOwn('mine');
  const { dir } = (await capstan.capsules.get('mine')).capsule;
  await capstan.capsules.saveOverlay('mine', 'One.');
  agree('mine', dir, 'what it was before its program changed');
  await capstan.capsules.saveOverlay('mine', 'Two.');
  expect(agreedHash('mine', dir)).toBe('what it was before its program changed');
});

it.each([
  ['is too long', 'x'.repeat(256 * 1024 + 1), 'longer than'],
  ['uses an unknown variable', 'Hello {{nobody}}', 'nobody'],
  ['has invisible characters', 'Be \u{e0041}brief.', 'invisible characters (\\u{e0041})'],
  ['has half a character', 'Be \ud83d brief.', 'invisible characters (\\ud83d)'],
  ['contains a secret', `Send ${KEY} with it.`, 'a secret value'],
  ['contains the mark of a secret', `Send ${REDACTED} with it.`, 'replaces a secret'],
])('refuses a text that %s, and leaves the file as it was', async (_, text, problem) => {
  await capstan.capsules.saveOverlay('summarizer', 'As it was.');
  const error = await failure(capstan.capsules.saveOverlay('summarizer', text));
  expect(failedWith(error, 'OVERLAY_INVALID')).toBe(true);
  expect(String(error)).toContain(problem);
  expect(String(error)).not.toContain(KEY);
  expect(readFileSync(own('summarizer/skill.md'), 'utf8')).toBe('As it was.');
});

it('saves only over the version that was read', async () => {
  const { version } = await capstan.capsules.saveOverlay('summarizer', 'One.');
  await capstan.capsules.saveOverlay('summarizer', 'Two.', { version });
  const late = await failure(capstan.capsules.saveOverlay('summarizer', 'Three.', { version }));
  expect(failedWith(late, 'OVERLAY_CHANGED')).toBe(true);
  expect(readFileSync(own('summarizer/skill.md'), 'utf8')).toBe('Two.');
});

it('refuses a text that is not a string', async () => {
  const error = await failure(capstan.capsules.saveOverlay('summarizer', 5 as unknown as string));
  expect(error).toMatchObject({ code: 'USAGE', details: { field: 'text' } });
});

it('refuses a folder that is a symbolic link', async () => {
  const elsewhere = join(person.home, 'elsewhere');
  mkdirSync(elsewhere);
  mkdirSync(own(), { recursive: true, mode: 0o700 });
  symlinkSync(elsewhere, own('summarizer'));
  const error = await failure(capstan.capsules.saveOverlay('summarizer', 'Be brief.'));
  expect(error).toMatchObject({ code: 'PLACE_UNUSABLE' });
  expect(readdirSync(elsewhere)).toEqual([]);
});

it("refuses a project's capsule and an unknown one", async () => {
  person.writeProject('agents/theirs/manifest.json', JSON.stringify(plainManifest('theirs')));
  person.writeProject('agents/theirs/entrypoint.cjs', '');
  const settings = { trustProject: true };
  const theirs = await failure(capstan.capsules.saveOverlay('theirs', 'x', { settings }));
  expect(failedWith(theirs, 'USAGE')).toBe(true);
  const unknown = await failure(capstan.capsules.saveOverlay('../x', 'x'));
  expect(failedWith(unknown, 'CAPSULE_UNKNOWN')).toBe(true);
});
