import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiServer, startApiServer } from '../../../test/programs/api-server.ts';
import { openPastRuns } from '../../../test/web/past-runs.ts';

let api: ApiServer;
let id: string;
beforeAll(async () => {
  api = await startApiServer();
  const past = openPastRuns(api.person.home);
  [id = ''] = past.addMany(1);
  past.close();
  // Its folder does not exist, so it can't continue.
  const db = new Database(join(api.person.home, 'state/capstan.db'));
  const park = `UPDATE runs SET status = 'parked', reason = 'provider', ended_at = NULL WHERE id = ?`;
  db.prepare(park).run(id);
  db.close();
});
afterAll(() => api.close());

it('a message is stored once, and its answer says why the run does not continue', async () => {
  const { status, body } = await api.request('POST', `/runs/${id}/messages`, { text: 'Go on.' });
  expect(status).toBe(200);
  expect(body.not_continued).toMatchObject({ code: 'SETTINGS_INVALID' });
  const page = await api.request('GET', `/runs/${id}`);
  expect(page.body.run.status).toBe('parked');
  expect(page.body.messages).toMatchObject([{ text: 'Go on.' }]);
});

it('a message that is not stored is refused', async () => {
  const { status, body } = await api.request('POST', `/runs/${id}/messages`, { text: ' ' });
  expect([status, body.code]).toEqual([400, 'USAGE']);
  const page = await api.request('GET', `/runs/${id}`);
  expect(page.body.messages).toHaveLength(1);
});
