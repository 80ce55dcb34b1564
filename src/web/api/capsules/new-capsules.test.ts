import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiServer, startApiServer } from '../../../../test/programs/api-server.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApiServer();
});
afterAll(() => api.close());

it('a proposed capsule is made as it was shown', async () => {
  const description = 'Checks that every invoice in a folder has a number and a date';
  const proposed = await api.request('POST', '/capsules/propose', { description, id: 'bills' });
  expect(proposed.status).toBe(200);
  expect(proposed.body.manifest.id).toBe('bills');
  expect((await api.request('GET', '/capsules/bills')).status).toBe(404);
  const made = await api.request('POST', '/capsules', proposed.body);
  expect([made.status, made.body]).toEqual([200, { id: 'bills' }]);
  const { body } = await api.request('GET', '/capsules/bills');
  expect(body).toMatchObject({ origin: 'personal', overlay: proposed.body.overlay, uses: 0 });
  const other = { ...proposed.body, overlay: 'Be brief.\n' };
  const again = await api.request('POST', '/capsules', other);
  expect([again.status, again.body.code]).toEqual([400, 'PLACE_UNUSABLE']);
});

it('a capsule is exported, read and imported, and only as it was read', async () => {
  const { body, headers } = await api.request('GET', '/capsules/bills/export');
  expect(headers.get('content-disposition')).toContain('bills.capsule.json');
  await api.capstan.capsules.archive('bills');
  const path = api.person.writeProject('bills.capsule.json', JSON.stringify(body));
  const read = await api.request('POST', '/capsules/read', { path });
  expect(read.body).toMatchObject({ id: 'bills' });
  const other = await api.request('POST', '/capsules/import', { path, hash: 'f'.repeat(64) });
  expect([other.status, other.body.code]).toEqual([400, 'ARCHIVE_INVALID']);
  const { hash } = read.body;
  const made = await api.request('POST', '/capsules/import', { path, hash });
  expect(made.body).toEqual({ id: 'bills' });
  expect(readFileSync(`${api.person.home}/data/agents/bills/manifest.json`, 'utf8')).toContain(
    'invoice',
  );
});

it('a capsule is put into quarantine and taken back', async () => {
  const put = await api.request('POST', '/capsules/summarizer/quarantine', {});
  expect(put.body).toEqual({ id: 'summarizer', reason: 'quarantined by hand' });
  const { body } = await api.request('GET', '/overview');
  expect(body.quarantined).toEqual([{ capsule_id: 'summarizer', reason: 'quarantined by hand' }]);
  expect((await api.request('POST', '/capsules/summarizer/restore', {})).status).toBe(200);
  expect((await api.request('GET', '/capsules/summarizer')).body.quarantine).toBeNull();
});
