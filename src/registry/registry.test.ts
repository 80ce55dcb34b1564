import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TemporaryCapsules, temporaryCapsules } from '../../test/setup/temporary-capsules.ts';
import { temporaryDatabase } from '../../test/setup/temporary-database.ts';
import { failedWith } from '../contract/errors.ts';
import type { Db } from '../db/open-database.ts';
import type { Embedder } from '../embeddings/embedder.ts';
import { openStaticEmbedder } from '../embeddings/static/static-table.ts';
import { noSecrets } from '../policy/secrets/redact.ts';
import { createRegistry, type RouteOptions } from './registry.ts';

let capsules: TemporaryCapsules;
let db: Db;
let table: Embedder;
const embedded: string[] = [];

beforeEach(async () => {
  capsules = temporaryCapsules();
  ({ db } = temporaryDatabase());
  const opened = await openStaticEmbedder(join(import.meta.dirname, '../../models/static-en-256'));
  embedded.splice(0);
  table = {
    ...opened,
    embed: (texts) => {
      embedded.push(...texts);
      return opened.embed(texts);
    },
  };
});
afterEach(async () => {
  await table.close();
  capsules.remove();
});

const tools = [
  { name: 'file_io', description: 'Lists, reads and writes files. More for the model.' },
  { name: 'web_fetch', description: 'Reads a page of the web.' },
];
const open = (thresholds?: { take?: number; create?: number; lead?: number }) =>
  createRegistry({
    db,
    redactor: noSecrets,
    embedder: table,
    roots: capsules.roots,
    tools,
    thresholds,
  });

const kind = (mode: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  name: mode === 'handler' ? 'by_itself' : 'with_model',
  mode,
  description: 'Works.',
  ...changes,
});

/** Three capsules that differ in purpose, abilities and the need for a model. */
function writeThree(): void {
  capsules.writeCapsule('shipped/log-analyst', {
    description: 'Analyses access logs: slow requests, errors by endpoint.',
    grants: { tools: { file_io: { paths: ['**'] } } },
    task_kinds: [
      kind('agentic', { files: ['*.log'], examples: ['find the slowest requests in access.log'] }),
      kind('handler', { files: ['*.log'], examples: ['group the errors by endpoint'] }),
    ],
  });
  capsules.writeCapsule('shipped/table-analyst', {
    description: 'Computes over tables: totals, averages and top rows of CSV files.',
    grants: { tools: { file_io: { paths: ['**'] } } },
    task_kinds: [kind('handler', { files: ['*.csv'], examples: ['sum the sales by region'] })],
  });
  capsules.writeCapsule('shipped/web-reader', {
    description: 'Reads web pages and tells what they say.',
    grants: { tools: { web_fetch: { hosts: ['*'] }, file_io: { paths: ['**'] } } },
    task_kinds: [kind('agentic', { examples: ['summarise https://example.com'] })],
  });
}

describe('a subtask finds its capsule', () => {
  test('by its meaning, with the receipt of why', async () => {
    writeThree();
    const registry = open();
    expect(await registry.sync()).toEqual({ problems: [] });
    const route = await registry.route('which requests took longest', { model: true });
    expect(route).toMatchObject({
      capsuleId: 'log-analyst',
      taskKind: 'with_model',
      decidedBy: 'score',
    });
    expect(route.candidates).toHaveLength(3);
    const [first, second] = route.candidates;
    expect(first).toMatchObject({
      capsuleId: 'log-analyst',
      part: expect.stringContaining('slow'),
    });
    expect(first?.score).toBeGreaterThan(second?.score ?? 1);
  });

  test.each([
    [{ model: true }, 'log-analyst', 'with_model'],
    [{ model: false }, 'log-analyst', 'by_itself'],
    [{ model: true, exclude: ['log-analyst', 'web-reader'] }, 'table-analyst', 'by_itself'],
  ])('among those that can do it: %j', async (options, capsuleId, taskKind) => {
    writeThree();
    const registry = open({ take: 0.9, create: -1 });
    await registry.sync();
    const route = await registry.route('group the errors by endpoint', options);
    expect([route.capsuleId, route.taskKind]).toEqual([capsuleId, taskKind]);
  });

  test.each([
    ['group the errors in orders.csv by endpoint', 'table-analyst', 'log-analyst'],
    ['sum the sales of today.log and save them as sales.csv', 'log-analyst', 'table-analyst'],
    ['write the sum to result.csv', 'table-analyst', 'log-analyst'],
  ])('by the files that it names: %s', async (text, chosen, dropped) => {
    writeThree();
    const registry = open({ take: 0.9, create: -1 });
    await registry.sync();
    const { capsuleId, candidates } = await registry.route(text, { model: true });
    expect(capsuleId).toBe(chosen);
    const ids = candidates.map((candidate) => candidate.capsuleId);
    expect(ids).not.toContain(dropped);
    expect(ids).toContain('web-reader');
  });

  test('whatever files it names if none of the capsules lists them', async () => {
    writeThree();
    const registry = open({ take: 0.9, create: -1 });
    await registry.sync();
    const route = await registry.route('group errors of notes.txt by endpoint', { model: true });
    expect(route.candidates).toHaveLength(3);
  });

  test.each([
    [{ take: 0.1, create: 0 }, 'take', 'log-analyst'],
    [{ take: 0.1, create: 0, lead: 0.9 }, 'close', 'log-analyst'],
    [{ take: 2, create: 0 }, 'close', 'log-analyst'],
    [{ take: 2, create: 1.9 }, 'create', undefined],
  ])('in the zone that the thresholds %j give: %s', async (thresholds, zone, capsuleId) => {
    writeThree();
    const registry = open(thresholds);
    await registry.sync();
    const route = await registry.route('find slow requests', { model: true });
    expect([route.zone, route.capsuleId]).toEqual([zone, capsuleId]);
    expect(route.candidates.length).toBeGreaterThan(0);
  });

  test('by its name, without a search', async () => {
    writeThree();
    const registry = open();
    await registry.sync();
    embedded.splice(0);
    const route = await registry.route('anything', { model: false, named: 'table-analyst' });
    expect(route).toMatchObject({
      zone: 'named',
      capsuleId: 'table-analyst',
      taskKind: 'by_itself',
    });
    expect(embedded).toEqual([]);
  });

  test('and a name that fits nothing is refused', async () => {
    writeThree();
    const registry = open();
    await registry.sync();
    const unknown = await registry.route('x', { model: true, named: 'nobody' }).catch((e) => e);
    expect(failedWith(unknown, 'CAPSULE_UNKNOWN')).toBe(true);
    expect(String(unknown)).toContain('log-analyst, table-analyst, web-reader');
    const modelless = await registry
      .route('x', { model: false, named: 'web-reader' })
      .catch((e) => e);
    expect(failedWith(modelless, 'NO_CAPSULE_FITS')).toBe(true);
    expect(String(modelless)).toContain('works only with a language model');
  });

  test('and there is none in an empty registry', async () => {
    const registry = open();
    const before = await registry.route('anything', { model: true });
    await registry.sync();
    const after = await registry.route('anything', { model: true });
    for (const route of [before, after]) {
      expect(route).toMatchObject({ zone: 'create', candidates: [], decidedBy: 'score' });
    }
  });
});

describe('abilities are a hard filter', () => {
  /** `near` matches the tasks; only `far` can delete and only `reader` can use the web. */
  function writeThreeAbilities(): void {
    const grants = (operations: readonly string[]) => ({
      tools: { file_io: { operations, paths: ['**'] } },
    });
    capsules.writeCapsule('shipped/near', {
      description: 'Deletes, sorts and tidies old files of photos and letters.',
      grants: grants(['read', 'write']),
      task_kinds: [kind('agentic'), kind('handler')],
    });
    capsules.writeCapsule('shipped/far', {
      description: 'Paints.',
      grants: grants(['read', 'delete']),
      task_kinds: [kind('agentic'), kind('handler')],
    });
    capsules.writeCapsule('shipped/reader', {
      grants: { tools: { web_fetch: { hosts: ['*'] } } },
      task_kinds: [kind('agentic')],
    });
  }
  const routeOf = async (text: string, options: Partial<RouteOptions> = {}) => {
    const registry = open();
    await registry.sync();
    return registry.route(text, { model: true, ...options });
  };
  const task = 'Delete all old photo files';

  test.each([true, false])('whatever the scores (model: %s)', async (model) => {
    writeThreeAbilities();
    const route = await routeOf(task, { model });
    expect(route.candidates.map(({ capsuleId }) => capsuleId)).toEqual(['far']);
    expect(route.needs).toEqual(['delete']);
    expect(route.leftOut).toContainEqual({ capsuleId: 'near', lacks: ['delete'] });
  });

  test('with a model, the able ones are judged however low they score', async () => {
    writeThreeAbilities();
    expect(await routeOf(task)).toMatchObject({ zone: 'close', capsuleId: 'far' });
  });

  test('as the plan says, whatever the text', async () => {
    writeThreeAbilities();
    const { candidates } = await routeOf(task, { needs: ['web'] });
    expect(candidates.map(({ capsuleId }) => capsuleId)).toEqual(['reader']);
  });

  test('and nobody gets the task if none has them', async () => {
    writeThreeAbilities();
    const route = await routeOf('Load orders.json into a new SQLite database');
    expect(route).toMatchObject({ zone: 'create', candidates: [], needs: ['database_write'] });
    expect(route.leftOut).toHaveLength(3);
  });

  test('but a person may give such a task to any capsule', async () => {
    writeThreeAbilities();
    const registry = open();
    await registry.sync();
    registry.correct(task, 'near');
    const route = await routeOf(task);
    expect(route.capsuleId).toBe('near');
    expect(route.leftOut?.map(({ capsuleId }) => capsuleId)).toEqual(['reader']);
  });
});

describe('a capsule that the plan names', () => {
  test.each([
    ['gets the task', { planned: 'web-reader' }, 'web-reader', 'plan'],
    [
      'does not if it lacks an ability',
      { planned: 'table-analyst', needs: ['web'] as const },
      'web-reader',
      'score',
    ],
    [
      'does not if it is excluded',
      { planned: 'web-reader', exclude: ['web-reader'] },
      'log-analyst',
      'score',
    ],
    ['does not if it does not exist', { planned: 'nobody' }, 'log-analyst', 'score'],
    [
      'does not if a person named another',
      { planned: 'web-reader', named: 'log-analyst' },
      'log-analyst',
      'name',
    ],
  ])('%s', async (_what, options, capsuleId, decidedBy) => {
    writeThree();
    const registry = open({ take: 0, create: -1, lead: 0 });
    await registry.sync();
    const route = await registry.route('find the slowest requests', { model: true, ...options });
    expect(route).toMatchObject({ capsuleId, decidedBy });
  });
});

describe('the registry learns', () => {
  const routeOf = async (text: string) => {
    const registry = open();
    await registry.sync();
    return registry.route(text, { model: true });
  };

  test('from tasks that a capsule completed well', async () => {
    writeThree();
    const registry = open();
    await registry.sync();
    const before = await registry.route('bake a chocolate cake', { model: true });
    registry.noteCompleted('table-analyst', 'bake a cake with apples');
    await registry.sync();
    const after = await registry.route('bake a chocolate cake', { model: true });
    expect(after).toMatchObject({ capsuleId: 'table-analyst' });
    expect(after.candidates[0]?.part).toBe('done: bake a cake with apples');
    expect(after.candidates[0]?.score).toBeGreaterThan((before.candidates[0]?.score ?? 0) + 0.2);
  });

  test('keeping the ten completed tasks that differ most', async () => {
    writeThree();
    const registry = open();
    await registry.sync();
    const subjects = ['cats', 'ships', 'music', 'bread', 'stars', 'law', 'chess', 'rivers', 'wine'];
    for (const subject of subjects)
      registry.noteCompleted('table-analyst', `write about ${subject}`);
    for (let n = 0; n < 20; n++) registry.noteCompleted('table-analyst', `count row number ${n}`);
    await registry.sync();
    const kept = db.prepare<[], string>('SELECT task FROM completed_tasks').pluck().all();
    expect(kept).toHaveLength(10);
    expect(kept.filter((task) => task.startsWith('write'))).toHaveLength(9);
  });

  test('from a correction: the same task and similar ones go to the right capsule', async () => {
    writeThree();
    const registry = open();
    await registry.sync();
    const task = 'find the slowest requests of last night in access.log';
    expect((await registry.route(task, { model: true })).capsuleId).toBe('log-analyst');
    registry.correct(task, 'web-reader', 'log-analyst');
    await registry.sync();
    for (const text of [task, 'find the slowest requests of last evening']) {
      const { capsuleId, candidates } = await routeOf(text);
      expect(capsuleId).toBe('web-reader');
      expect(candidates[0]?.part).toBe(`corrected: ${task}`);
    }
    expect((await routeOf('group the errors by endpoint')).capsuleId).toBe('log-analyst');
    registry.correct(task, 'log-analyst', 'web-reader');
    expect((await routeOf(task)).capsuleId).toBe('log-analyst');
  });

  test('nothing that stays with the id of a capsule which is gone', async () => {
    writeThree();
    const registry = open();
    await registry.sync();
    const task = 'fold a paper crane';
    registry.correct(task, 'web-reader', 'log-analyst');
    registry.noteCompleted('web-reader', 'water the plants');
    registry.correct('file the taxes', 'table-analyst', 'web-reader');
    const reader = registry.find('web-reader');
    if (reader) registry.forget(reader);
    await registry.sync();
    for (const text of [task, 'water the plants'])
      expect((await routeOf(text)).zone).toBe('create');
    const kept = db.prepare('SELECT task, capsule, instead_of FROM route_corrections').all();
    expect(kept).toEqual([{ task: 'file the taxes', capsule: 'table-analyst', instead_of: null }]);
  });

  test('nothing from a correction to an unknown capsule', async () => {
    const registry = open();
    await registry.sync();
    expect(() => registry.correct('anything', 'nobody')).toThrow('no capsule "nobody"');
  });
});

describe('a text that names', () => {
  test.each([
    ['a capsule', '@table-analyst find the slowest requests', 'named', 'table-analyst'],
    ['a capsule at its end', 'find the slowest requests, @web-reader', 'named', 'web-reader'],
    ['an address', 'write to me@log-analyst.org about slow requests', 'close', 'log-analyst'],
    ['something else', 'find slow requests to @types/node', 'close', 'log-analyst'],
  ])('%s: %s', async (_what, text, zone, capsuleId) => {
    writeThree();
    const registry = open({ take: 2, create: 0 });
    await registry.sync();
    const route = await registry.route(text, { model: true });
    expect(route).toMatchObject({ zone, capsuleId });
  });

  test('a tool goes only to capsules that are granted it', async () => {
    writeThree();
    const registry = open();
    await registry.sync();
    const { candidates } = await registry.route('find slow requests with web_fetch', {
      model: true,
    });
    expect(candidates.map(({ capsuleId }) => capsuleId)).toEqual(['web-reader']);
  });
});

describe('the registry syncs with its folders', () => {
  test('embedding only new texts', async () => {
    writeThree();
    await open().sync();
    expect(embedded.length).toBeGreaterThan(0);
    embedded.splice(0);
    const registry = open();
    await registry.sync();
    expect(embedded).toEqual([]);
    capsules.write('shipped/log-analyst/skill.md', 'changes its hash, not what is searched');
    capsules.writeCapsule('personal/painter', { description: 'Paints.' });
    await registry.sync();
    expect(embedded).toEqual(['Paints.', 'painter']);
    expect(registry.find('painter')?.origin).toBe('personal');
    expect(registry.list()).toHaveLength(4);
  });

  test('one sync after the other, so that changes between two of them are found', async () => {
    writeThree();
    const registry = open();
    const first = registry.sync();
    capsules.writeCapsule('shipped/poet', { description: 'Writes sonnets.' });
    await Promise.all([first, registry.sync()]);
    expect(registry.find('poet')?.manifest.description).toBe('Writes sonnets.');
  });

  test('removing deleted capsules and finding changed ones', async () => {
    writeThree();
    const registry = open();
    await registry.sync();
    rmSync(join(capsules.roots.shipped, 'web-reader'), { recursive: true });
    capsules.writeCapsule('shipped/table-analyst', { description: 'Bakes bread and cakes.' });
    await registry.sync();
    expect(registry.find('web-reader')).toBeUndefined();
    const { capsuleId } = await registry.route('bake a cake', { model: false });
    expect(capsuleId).toBe('table-analyst');
  });

  test.each([
    ['an unknown skill', { skills: ['telepathy'] }, /"telepathy", which does not exist/],
    [
      'an unknown tool',
      { grants: { tools: { rm_rf: {} } } },
      /grants\.tools: there is no tool "rm_rf"/,
    ],
    [
      'a tool named like an object’s own',
      { grants: { tools: { constructor: {} } } },
      /"constructor"/,
    ],
  ])('leaving out a capsule with %s', async (_title, changes, problem) => {
    writeThree();
    capsules.writeCapsule('personal/odd', changes);
    const registry = open();
    const { problems } = await registry.sync();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
    expect(registry.find('odd')).toBeUndefined();
    expect(registry.list()).toHaveLength(3);
  });

  test('composing the prompt from the skills that are there', async () => {
    capsules.write('shipped/skills/git.md', '---\nname: Git\ndescription: d\n---\nCommit often.');
    capsules.writeCapsule('shipped/coder', { skills: ['git'] });
    const registry = open();
    await registry.sync();
    expect(registry.skills()).toMatchObject([{ id: 'git', name: 'Git', description: 'd' }]);
    const capsule = registry.find('coder');
    if (!capsule) throw new Error('the capsule is missing');
    const variables = { task_kind: 'work', workspace_name: 'w', today: '2026-01-01' };
    expect(registry.prompt(capsule, variables).systemPrompt).toContain('Commit often.');
  });
});
