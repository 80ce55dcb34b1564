import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiServer, startApiServer } from '../../../test/programs/api-server.ts';
import { openPastRuns } from '../../../test/web/past-runs.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApiServer();
});
afterAll(() => api.close());

it('a step that a capsule handed back names it, instead of calling the next one the best', async () => {
  const past = openPastRuns(api.person.home);
  const [id = ''] = past.addMany(1);
  past.close();
  const route = {
    ...{ zone: 'close', decidedBy: 'score', capsuleId: 'table-analyst' },
    candidates: [
      { capsuleId: 'table-analyst', score: 0.61 },
      { capsuleId: 'file-clerk', score: 0.6 },
    ],
  };
  const db = new Database(join(api.person.home, 'state/capstan.db'));
  db.prepare('UPDATE subtasks SET route = ? WHERE run_id = ?').run(JSON.stringify(route), id);
  db.close();
  const { body } = await api.request('GET', `/runs/${id}/routing`);
  expect(body.receipts).toMatchObject([
    { chosen: 'file-clerk', decided_by: 'after table-analyst (best score) handed the step back' },
  ]);
});

it('a file that was undone says so, and is redone', async () => {
  const notes = join(api.person.project, 'notes.md');
  writeFileSync(notes, 'one\ntwo\n');
  const run = await api.capstan.runs.start({
    task: 'Replace "two" with "three" in notes.md',
    settings: { approveMode: 'allow' },
  });
  const { id } = run;
  await run.finished;
  const undone = async () => {
    const { body } = await api.request('GET', `/runs/${id}/changes`);
    return body.files.map((file: { is_undone: boolean }) => file.is_undone);
  };
  expect(await undone()).toEqual([false]);
  await api.request('POST', `/runs/${id}/undo`, {});
  expect([readFileSync(notes, 'utf8'), await undone()]).toEqual(['one\ntwo\n', [true]]);
  const plan = await api.request('GET', `/runs/${id}/redo`);
  expect(plan.body).toMatchObject({ status: 'planned', restored: ['notes.md'] });
  await api.request('POST', `/runs/${id}/redo`, {});
  expect([readFileSync(notes, 'utf8'), await undone()]).toEqual(['one\nthree\n', [false]]);
});
