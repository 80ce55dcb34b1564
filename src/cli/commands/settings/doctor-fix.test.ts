import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { failedWith } from '../../../contract/errors.ts';
import { openDatabase } from '../../../db/open-database.ts';
import { command as route } from '../capsules/route.ts';
import { command } from './doctor.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson({ isFirstStart: true });
});
afterEach(() => person.remove());

const context = () => ({
  environment: { ...person.environment, OLLAMA_BASE_URL: 'http://127.0.0.1:9' },
  cwd: person.project,
});
async function fix(options: Record<string, unknown> = { yes: true }) {
  const io = ioOf(context());
  const code = await command.run({ positionals: [], options: { fix: true, ...options } }, io);
  return { code, out: io.out(), errors: io.errors() };
}
const modeOf = (path: string) => statSync(join(person.home, path)).mode & 0o777;
const database = () => openDatabase(join(person.home, 'state/capstan.db'));

describe('capstan doctor --fix', () => {
  it('creates missing folders and closes open places, after showing each', async () => {
    person.writeOwn('config.yaml', 'log_level: warn\n');
    chmodSync(join(person.home, 'config/config.yaml'), 0o644);
    chmodSync(join(person.home, 'config'), 0o755);
    const { code, out } = await fix();
    expect(code).toBe(0);
    expect(out).toContain(`${person.home}/config: mode 755 → 700`);
    expect(out).toContain(`${person.home}/config/config.yaml: mode 644 → 600`);
    expect([modeOf('config'), modeOf('config/config.yaml'), modeOf('data')]).toEqual([
      0o700, 0o600, 0o700,
    ]);
  });

  it('changes nothing without an answer', async () => {
    chmodSync(join(person.home, 'config'), 0o755);
    await expect(fix({})).rejects.toSatisfy((error) => failedWith(error, 'USAGE'));
    expect(modeOf('config')).toBe(0o755);
  });

  it('builds an incomplete search index again', async () => {
    await route.run(
      { positionals: ['count the errors'], options: { json: true } },
      ioOf(context()),
    );
    const damaged = database();
    damaged.exec('DELETE FROM search_texts');
    damaged.close();
    const { code, out } = await fix();
    expect(code).toBe(0);
    expect(out).toContain('embed every capsule again');
    const repaired = database();
    const [words, documents] = ['search_texts', 'search_documents'].map((table) =>
      repaired.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    );
    repaired.close();
    expect(words).toBeGreaterThan(0);
    expect(words).toBe(documents);
  });

  it('resets a model that is paused, which the checks name', async () => {
    const db = database();
    const now = new Date().toISOString();
    db.prepare(
      "INSERT INTO breakers (provider, model, failures, opened_at, last_problem) VALUES ('openai', 'gpt-x', 5, ?, 'busy')",
    ).run(now);
    db.close();
    const io = ioOf(context());
    await command.run({ positionals: [], options: {} }, io);
    expect(io.out()).toMatch(/breaker +openai\/gpt-x is paused after 5 failures: busy/);
    expect((await fix()).out).toContain('openai/gpt-x: forget its failures');
    expect((await fix()).out).not.toContain('gpt-x');
  });

  it('lists what a person has to do, as one JSON document', async () => {
    const { out } = await fix({ yes: true, json: true });
    const { repaired, left } = JSON.parse(out);
    expect(repaired[0]).toMatchObject({ id: 'private_places', problem: null });
    expect(left).toContainEqual(
      expect.objectContaining({ name: 'provider', fix: '`capstan setup`' }),
    );
  });
});
