import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiServer, startApiServer } from '../../../test/programs/api-server.ts';

let api: ApiServer;
beforeAll(async () => {
  api = await startApiServer();
});
afterAll(() => api.close());

it('saves one of two overlays that are sent at the same time, and reports the conflict to the other', async () => {
  const { body: page } = await api.request('GET', '/capsules/file-clerk');
  const texts = ['Be brief.\n', 'Be thorough.\n'];
  const save = (text: string) =>
    api.request('PUT', '/capsules/file-clerk/overlay', { text, version: page.overlay_version });
  const answers = await Promise.all(texts.map(save));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const late = answers.find(({ status }) => status === 409);
  expect(late?.body.code).toBe('OVERLAY_CHANGED');
  const saved = texts[answers.findIndex(({ status }) => status === 200)];
  const path = join(api.person.home, 'data/agents/file-clerk/skill.md');
  expect(readFileSync(path, 'utf8')).toBe(saved);
});
