import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../../../test/model-server/model-server.ts';
import { type OwnCapsules, ownCapsulesOf } from '../../../../test/setup/own-capsules.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { failedWith } from '../../../contract/errors.ts';
import { openDatabase } from '../../../db/open-database.ts';
import { readCapsule } from '../../../registry/capsule-store.ts';

let person: Person;
let own: OwnCapsules['own'];
let run: OwnCapsules['run'];
beforeEach(() => {
  person = temporaryPerson();
  ({ own, run } = ownCapsulesOf(person));
});
afterEach(() => person.remove());

const recipe = 'Translate cooking recipes into metric units';

describe('capstan capsules create with a language model', () => {
  let server: ModelServer;
  let described: object;
  beforeEach(async () => {
    const grants = { terminal: { operations: ['read'], commands: ['units **'] }, sql_query: {} };
    const profile = { name: 'Metric cook', description: 'Converts recipes.', grants };
    described = { ...profile, role: 'You convert.', skills: ['terminal'] };
    server = await startModelServer({ vendor: 'openai', script: () => ({ json: described }) });
    Object.assign(person.environment, {
      CAPSTAN_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: 'key-of-the-test-0123456789',
    });
  });
  afterEach(() => server.close());

  const ask = (options: Record<string, unknown>) =>
    run('create', [recipe], {
      ...{ yes: true, json: true, provider: 'openai', model: server.model },
      ...options,
    });

  it('lets the model describe the capsule, within grants and budget', async () => {
    const { code, out } = await ask({ budgetUsd: '1' });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ created: 'metric-cook' });
    expect(readCapsule(own('metric-cook'), 'personal').manifest).toMatchObject({
      description: 'Converts recipes.',
      skills: ['terminal'],
      grants: {
        tools: { terminal: { operations: ['read'], commands: ['units **'], hosts: [] } },
      },
    });
  });

  it('says that the words of the description were used, if the answers of the model are invalid', async () => {
    described = { nonsense: true };
    const { out, errors } = await ask({ budgetUsd: '1' });
    expect(JSON.parse(out)).toMatchObject({ created: 'translate-cooking-recipes-metric' });
    expect(errors).toMatch(/note: the model wrote no manifest \(The model's answer is not a valid/);
  });

  it('works without the model if spending is not approved', async () => {
    person.environment['CAPSTAN_BASE_URL'] = 'https://model.invalid/v1';
    const { out, errors } = await ask({});
    expect(JSON.parse(out)).toMatchObject({ created: 'translate-cooking-recipes-metric' });
    expect(errors).toContain('note: the model wrote no manifest');
    const db = openDatabase(join(person.home, 'state/capstan.db'));
    expect(db.prepare('SELECT status FROM runs').pluck().all()).toEqual(['failed']);
    expect(db.prepare("SELECT 1 FROM approvals WHERE status = 'pending'").all()).toEqual([]);
    db.close();
  });
});

describe('capstan capsules create', () => {
  it('shows the complete manifest and overlay, asks, and creates the capsule', async () => {
    const terminal = { isTerminal: true, input: Readable.from(['y\n']) };
    const { code, errors, out } = await run('create', recipe.split(' '), {}, terminal);
    expect(code).toBe(0);
    expect(errors).toContain(`│   "description": "${recipe}"`);
    expect(errors).toContain('│ How you work:');
    const id = 'translate-cooking-recipes-metric';
    expect(out).toContain(`Created "${id}": ${own(id)}`);
    const { manifest } = readCapsule(own(id), 'personal');
    expect(manifest.task_kinds[0]?.examples).toEqual([recipe]);
    expect(manifest.grants.tools).toEqual({
      file_io: { operations: expect.arrayContaining(['read', 'write']), paths: ['**'] },
    });
    const schema = JSON.parse(readFileSync(join(own(id), manifest.$schema ?? ''), 'utf8'));
    expect(schema.title).toBe('Capstan capsule manifest');
  });

  it('creates nothing without an answer', async () => {
    const { code } = await run('create', [recipe]);
    expect(failedWith(code, 'USAGE')).toBe(true);
    expect(existsSync(own())).toBe(false);
  });

  it('uses the given fields, and no tool that a gate denies', async () => {
    const options = { yes: true, json: true, id: 'cook', name: 'Cook', role: 'You cook.' };
    const more = { skills: 'git', tools: 'terminal, sql_query' };
    const { out } = await run('create', [recipe], { ...options, ...more });
    expect(JSON.parse(out)).toMatchObject({ created: 'cook', twin: null });
    expect(readFileSync(own('cook/skill.md'), 'utf8')).toMatch(/^You cook\.\n\n/);
    expect(readCapsule(own('cook'), 'personal').manifest).toMatchObject({
      name: 'Cook',
      skills: ['git'],
      grants: { tools: { terminal: { commands: ['**'] }, sql_query: { paths: ['**'] } } },
    });
    person.writeOwn('config.yaml', 'gate:\n  execute: deny\n');
    const { code } = await run('create', [recipe], { yes: true, tools: 'terminal' });
    expect(failedWith(code, 'USAGE')).toBe(true);
  });

  it.each(['file-clerk', 'skills', 'No Id'])('refuses the id %s', async (id) => {
    const { code } = await run('create', [recipe], { yes: true, id });
    expect(failedWith(code, 'USAGE')).toBe(true);
    expect(String(code)).toContain(`"${id}"`);
    expect(existsSync(own())).toBe(false);
  });

  it('offers an almost equal capsule instead, unless --anyway is given', async () => {
    await run('create', [recipe], { yes: true, id: 'cook' });
    const again = 'Translate recipes for cooking into metric units';
    const { code, errors } = await run('create', [again], { yes: true });
    expect(code).toBe(1);
    expect(errors).toContain('"cook" already does almost the same');
    const { out } = await run('create', [again], { yes: true, json: true });
    expect(JSON.parse(out)).toMatchObject({ created: null, twin: { id: 'cook' } });
    expect(readdirSync(own())).toEqual(['cook']);
    expect((await run('create', [again], { yes: true, anyway: true })).code).toBe(0);
    expect(readdirSync(own())).toHaveLength(2);
  });

  it('derives an id from any script', async () => {
    const { out } = await run('create', ['日志分析'], { yes: true, json: true });
    expect(JSON.parse(out).created).toMatch(/^file-io-capsule-[0-9a-f]{8}$/);
    const russian = await run('create', ['Перевод рецептов'], { yes: true, json: true });
    expect(JSON.parse(russian.out).created).toBe('perevod-retseptov');
  });
});
