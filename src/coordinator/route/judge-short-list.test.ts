import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../../../test/model-server/model-server.ts';
import { openTaskRunner } from '../../../test/programs/run-tasks.ts';
import { plainManifest } from '../../../test/setup/temporary-capsules.ts';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import type { Route } from '../../registry/search/route.ts';

let person: Person;
let server: ModelServer | undefined;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(async () => {
  await server?.close();
  person.remove();
});

/** Near several capsules, far ahead for none. */
const description = 'Store the totals as totals.json';

/** Runs one step whose close call is judged as given. Returns its receipt and the documents that the judge got. */
async function judged(choice: string | null, task = description) {
  const documents: { candidates: Record<string, unknown>[] }[] = [];
  server = await startModelServer({
    vendor: 'openai',
    script({ responseName, messages }) {
      if (responseName === 'plan')
        return {
          json: { discovery: [], execution: [{ id: 's1', description: task, depends_on: [] }] },
        };
      if (responseName !== 'judge') return { json: { status: 'ok', result: 'x', answer: 'x' } };
      documents.push(JSON.parse(messages[0]?.content ?? ''));
      return { json: { choice, why: 'because' } };
    },
  });
  const runner = await openTaskRunner(person, {
    settings: { provider: 'openai', model: server.model, budgetUsd: '1', approveMode: 'deny' },
    environment: { CAPSTAN_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'key-of-the-test-0123456789' },
  });
  try {
    const run = await runner.run(task);
    const [subtask] = runner.stores.subtasks.of(run.id);
    return { route: subtask?.route as Route, documents };
  } finally {
    await runner.close();
  }
}

it('the judge sees tools, operations and examples, and its choice decides', async () => {
  const { route, documents } = await judged('file-clerk');
  expect(route).toMatchObject({ capsuleId: 'file-clerk', decidedBy: 'model', why: 'because' });
  const candidate = documents[0]?.candidates.find(({ id }) => id === 'file-clerk');
  expect(candidate?.['tools']).toEqual([
    expect.stringMatching(/^file_io \(list, read, .*delete\)$/),
  ]);
  expect(candidate?.['examples']).toHaveLength(3);
});

it('an unknown id leaves the decision to the best score, and creates nothing', async () => {
  const { route } = await judged('nobody');
  expect(route).toMatchObject({ zone: 'close', decidedBy: 'score' });
  expect(route.capsuleId).toBe(route.candidates[0]?.capsuleId);
});

it('none of them means that a capsule is to be created', async () => {
  const { route } = await judged(null);
  expect(route).toMatchObject({ zone: 'create', decidedBy: 'model' });
});

it('a question that no capsule is near is answered by the one that the model chooses, without a new capsule', async () => {
  const { route } = await judged('developer', 'Explain what a closure is in javascript');
  expect(route).toMatchObject({ zone: 'create', capsuleId: 'developer', decidedBy: 'model' });
});

it('a capsule that did not ship with Capstan is not judged for a question that no capsule is near', async () => {
  const dir = join(person.home, 'data/agents/gardener');
  mkdirSync(dir, { recursive: true });
  const manifest = { ...plainManifest('gardener'), description: 'Explains how a garden grows.' };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(dir, 'entrypoint.cjs'), "'use strict';\n");
  const { route, documents } = await judged('gardener', 'Explain what a closure is in javascript');
  expect(route.zone).toBe('create');
  expect(route.candidates.map(({ capsuleId }) => capsuleId)).toContain('gardener');
  expect(documents[0]?.candidates.length).toBeGreaterThan(0);
  expect(documents[0]?.candidates.map(({ id }) => id)).not.toContain('gardener');
  expect(route.capsuleId).not.toBe('gardener');
});
