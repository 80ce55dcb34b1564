import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blankIntent } from '../../../../test/setup/blank-intent.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { type BudgetLimits, createBudget, dayOf } from '../../../broker/money/budget.ts';
import { readCosts } from '../../../broker/money/cost-report.ts';
import { agentsFolder, projectAgentsFolder } from '../../../config/files/agent-folders.ts';
import type { Places } from '../../../config/settings.ts';
import type { IntentRecord } from '../../../contract/intent.ts';
import type { RunStatus } from '../../../contract/status.ts';
import { openRelaxedConnection } from '../../../db/open-database.ts';
import { eventFile } from '../../../events/event-log.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { ownIdentity } from '../../life/process-identity.ts';
import type { Stores } from '../create-stores.ts';
import { openStores } from '../open-stores.ts';
import { deleteRun } from './delete-run.ts';
import type { RunRecord } from './run-record.ts';

let person: Person;
let places: Places;
let stores: Stores;
beforeEach(async () => {
  person = temporaryPerson();
  places = (await person.load()).settings.places;
  mkdirSync(places.stateDir, { recursive: true });
  stores = openStores(places.stateDir, { redactor: noSecrets });
});
afterEach(() => {
  stores.close();
  person.remove();
});

const count = (table: string) => stores.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();

function write(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'x');
  return path;
}

/** A run with one attempt, its graph saved, and all of its files. */
async function keep(id: string, status: RunStatus) {
  const run: RunRecord = {
    ...{ id, sessionId: 's', task: 't', workspace: person.project, provider: 'offline' },
    ...{ isolation: 'none', options: {}, status, reason: null, answer: null, error: null },
    ...{ owner: ownIdentity(), leaseUntil: null, seed: '', policy: {}, policyVersion: '' },
    request: { namedCapsule: null, namedHosts: [] },
    ...{
      forkedFrom: null,
      forkedAt: null,
      createdAt: '2026-01-01',
      endedAt: '2026-01-01',
      stoppedBy: null,
    },
  };
  stores.journal.commit(() => {
    stores.runs.create(run);
    stores.subtasks.add(id, 'execution', [
      { id: 's1', description: 'd', depends_on: [], writes: [], needs: [] },
    ]);
    stores.subtasks.startAttempt({
      ...{ id: `${id}-a`, runId: id, subtaskId: 's1', number: 1 },
      ...{ capsuleId: 'mine', capsuleHash: 'h', request: {} as never },
    });
    stores.db
      .prepare("INSERT INTO budget_raises VALUES (?, 'run', ?, 1, NULL, '2026-01-01')")
      .run(`${id}-r`, id);
  });
  const graphDb = openRelaxedConnection(join(places.stateDir, 'capstan.db'));
  const saver = new SqliteSaver(graphDb);
  const config = { configurable: { thread_id: id, checkpoint_ns: '' } };
  const checkpoint = { v: 4, id: `${id}-c`, ts: '2026-01-01', channel_values: {} };
  const metadata = { source: 'input', step: 0, parents: {} } as const;
  const saved = await saver.put(
    config,
    { ...checkpoint, channel_versions: {}, versions_seen: {} },
    metadata,
  );
  await saver.putWrites(saved, [['x', 1]], 't');
  graphDb.close();
  const homes = [agentsFolder(places), projectAgentsFolder(places, person.project)];
  const logs = homes.map((home) => write(join(home, 'mine/logs', `${id}-a.log`)));
  const artifact = write(join(places.stateDir, 'runs', id, 'artifacts/a.txt'));
  return { run, files: [...logs, artifact, write(eventFile(places.stateDir, id))] };
}

describe('a deleted run', () => {
  it('deletes its rows, checkpoints, events, artifacts and logs, and nothing of others', async () => {
    const mine = await keep('run-1', 'completed');
    const other = await keep('run-2', 'parked');
    const memory = write(join(agentsFolder(places), 'mine/memory.db'));
    deleteRun(stores, places, { run: mine.run, actor: 'person:cli' });
    expect(mine.files.filter(existsSync)).toEqual([]);
    expect([memory, ...other.files].every(existsSync)).toBe(true);
    for (const table of ['runs', 'attempts', 'checkpoints', 'writes', 'budget_raises']) {
      expect({ table, rows: count(table) }).toEqual({ table, rows: 1 });
    }
    deleteRun(stores, places, { run: mine.run, actor: 'person:cli' });
  });

  it('keeps what its paid calls cost, for the budgets of the day and for reports', async () => {
    const { run } = await keep('run-1', 'parked');
    const { db, journal, now } = stores;
    const paid: Partial<IntentRecord> = {
      ...{ kind: 'chat', capsuleId: 'mine', target: 'openai/m', tier: 3, request: 'private' },
      ...{ startedAt: now().toISOString(), inputTokens: 10, costMicroUsd: 200_000 },
    };
    const estimated = { micro_usd: 50_000, tokens: 700 };
    journal.save(
      blankIntent({ ...paid, id: 'i1', status: 'done', outputTokens: 720, outcome: { estimated } }),
    );
    journal.save(blankIntent({ ...paid, id: 'i2', status: 'started', reservedMicroUsd: 60_000 }));
    journal.save(blankIntent({ id: 'i3', status: 'done', startedAt: now().toISOString() }));
    deleteRun(stores, places, { run, actor: 'person:cli' });

    const budget = createBudget(db, journal, now);
    const spender = { id: 'i4', runId: 'run-2', capsuleId: 'mine' };
    const limits: BudgetLimits = {
      budget: {
        runMicroUsd: 1,
        runMicroUsdSetByPerson: true,
        dayMicroUsd: 1,
        runTokens: undefined,
      },
      capsuleBudgets: new Map([['*', { dayMicroUsd: 1 }]]),
    };
    expect(budget.used(spender, limits)).toMatchObject({
      ...{ runSpentMicroUsd: 0, daySpentMicroUsd: 460_000 },
      capsule: { daySpentMicroUsd: 460_000 },
    });
    const cost = { costMicroUsd: 460_000, inputTokens: 20, outputTokens: 20, modelCalls: 2 };
    for (const [by, name] of [
      ['run', 'deleted runs'],
      ['subtask', 'deleted runs'],
      ['day', dayOf(now())],
      ['capsule', 'mine'],
      ['model', 'openai/m'],
    ] as const)
      expect(readCosts(db, { by })).toMatchObject([{ name, ...cost, estimatedMicroUsd: 50_000 }]);
    expect(readCosts(db, { by: 'run', runId: 'run-1' })).toEqual([]);
    expect(JSON.stringify(db.prepare('SELECT * FROM deleted_calls').all())).not.toMatch(/private/);
  });

  it('is not deleted while it is active', async () => {
    const { run, files } = await keep('run-1', 'running');
    const stale: RunRecord = { ...run, status: 'completed' };
    expect(() => deleteRun(stores, places, { run: stale, actor: 'person:cli' })).toThrow(
      /still running/,
    );
    expect(files.every(existsSync)).toBe(true);
    expect(count('runs')).toBe(1);
  });

  it("keeps its files if its rows can't be deleted", async () => {
    const { run, files } = await keep('run-1', 'completed');
    stores.db.exec(
      "CREATE TRIGGER kept BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    expect(() => deleteRun(stores, places, { run, actor: 'person:cli' })).toThrow('no');
    expect(files.every(existsSync)).toBe(true);
    expect(count('attempts')).toBe(1);
  });
});
