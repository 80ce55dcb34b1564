import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addRun } from '../../../../test/setup/broker-parts.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { createBreakerStore } from '../../../broker/money/breaker-store.ts';
import { openDatabase } from '../../../db/open-database.ts';
import type { CommandDefinition } from '../../command.ts';
import { command as breakers } from '../settings/breakers.ts';
import { command as cost } from './cost.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

const database = () => openDatabase(join(person.home, 'state/capstan.db'));

async function run(
  command: CommandDefinition | undefined,
  options: Record<string, unknown> = {},
  positionals: string[] = [],
) {
  let stdout = '';
  const exitCode = await command?.run(
    { positionals, options },
    {
      stdout: (text) => {
        stdout += text;
      },
      stderr: () => {},
      isTerminal: false,
      environment: person.environment,
      cwd: person.project,
    },
  );
  return { exitCode, stdout };
}

const INTENT = `INSERT INTO intents (id, run_id, subtask_id, capsule_id, seq, kind, name, target, tier, request, request_hash,
  reason, status, cost_micro_usd, input_tokens, output_tokens, proposed_at, started_at)
  VALUES (@id, @run, @subtask, @capsule, @seq, @kind, @name, @target, 3, '{}', '', '', 'done', @cost, @tokens, 10, @at, @at)`;

function fill(): void {
  const db = database();
  for (const id of ['run-1', 'run-2']) {
    addRun(db, id, { task: 'Count \u202e all', status: 'completed' });
  }
  const now = Date.now();
  const rows = [
    ['a', 'run-1', '', 'coordinator', 'chat', 'plan', 'openai/gpt-x', 1_000, 2],
    ['b', 'run-1', 's1', 'clerk', 'chat', 'chat', 'openai/gpt-y', 500_000, 1],
    ['c', 'run-1', 's1', 'clerk', 'tool', 'file_io.read', 'a.txt', 0, 1],
    ['d', 'run-2', 's1', 'clerk', 'chat', 'chat', 'openai/gpt-y', 20_000, 30],
  ] as const;
  for (const [
    seq,
    [id, run, subtask, capsule, kind, name, target, micro, daysAgo],
  ] of rows.entries()) {
    const at = new Date(now - daysAgo * 86_400_000).toISOString();
    const tokens = kind === 'chat' ? 100 : 0;
    db.prepare(INSERT_OF).run({
      id,
      run,
      subtask,
      capsule,
      seq,
      kind,
      name,
      target,
      cost: micro,
      tokens,
      at,
    });
  }
  db.close();
}
const INSERT_OF = INTENT.replace('10, @at, @at', "iif(@kind = 'chat', 10, 0), @at, @at");

describe('capstan runs cost', () => {
  it('says that there are no calls yet', async () => {
    expect(await run(cost)).toEqual({ exitCode: 0, stdout: 'There are no calls yet.\n' });
  });

  it.each([
    ['run', ['run-1', 'run-2']],
    ['subtask', ['run-1 s1', 'run-2 s1', 'run-1 coordinator']],
    ['capsule', ['clerk', 'coordinator']],
    ['model', ['openai/gpt-y', 'openai/gpt-x']],
    ['tool', ['file_io.read']],
  ])('by %s lists the most expensive first', async (by, names) => {
    fill();
    const { stdout } = await run(cost, { by, json: true });
    const { rows } = JSON.parse(stdout);
    expect(rows.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('sums money, tokens and calls, for one run or since a time', async () => {
    fill();
    const total = async (options: Record<string, unknown>) =>
      JSON.parse((await run(cost, { ...options, json: true })).stdout).total;
    expect(await total({})).toMatchObject({
      cost_usd: 0.521,
      model_calls: 3,
      tool_calls: 1,
      input_tokens: 300,
      output_tokens: 30,
    });
    for (const since of ['7d', '4w'])
      expect(await total({ since })).toMatchObject({ cost_usd: 0.501, model_calls: 2 });
    expect(await total({ run: 'run-2' })).toMatchObject({ cost_usd: 0.02, model_calls: 1 });
    expect(JSON.parse((await run(cost, { by: 'day', json: true })).stdout).rows).toHaveLength(3);
  });

  it('does not count answers of the offline rules as model calls', async () => {
    fill();
    const db = database();
    db.prepare("UPDATE intents SET target = 'offline/offline' WHERE id = 'a'").run();
    db.close();
    const report = async (by: string) => JSON.parse((await run(cost, { by, json: true })).stdout);
    expect((await report('run')).total.model_calls).toBe(2);
    const models = (await report('model')).rows.map(({ name }: { name: string }) => name);
    expect(models).toEqual(['openai/gpt-y']);
  });

  it('prints a table with control characters escaped', async () => {
    fill();
    const { stdout } = await run(cost);
    expect(stdout).toContain('run-1  $0.50');
    expect(stdout).toMatch(/^run .* tool calls +task\n/);
    expect(stdout).toContain('Count \\u202e all');
    expect(stdout).not.toContain('\u202e');
  });

  it.each([
    [{ by: 'models' }, 'Did you mean model?'],
    [{ since: 'yesterday' }, '90m, 12h, 7d or 4w'],
    [{ since: '2026-13-45' }, '90m, 12h, 7d or 4w'],
  ])('refuses %j', async (options, message) => {
    await expect(run(cost, options)).rejects.toThrow(message);
  });
});

describe('capstan doctor breakers', () => {
  const [list, reset] = breakers.subcommands ?? [];
  const failOften = (model: string, times: number) => {
    const db = database();
    const store = createBreakerStore(db, { failures: 5, restMs: 30_000 }, () => new Date());
    const key = { provider: 'openai', model };
    for (let n = 0; n < times; n++) store.fail(key, { isProbe: false, problem: 'answered (503)' });
    db.close();
  };

  it('lists recent failures, and how long a provider is paused', async () => {
    expect((await run(breakers)).stdout).toBe('No provider failed recently.\n');
    failOften('gpt-x', 5);
    failOften('gpt-y', 1);
    const { stdout } = await run(list);
    expect(stdout).toMatch(/openai\/gpt-x +paused [\d.]+ s +5 +answered \(503\)/);
    const rows = JSON.parse((await run(list, { json: true })).stdout);
    expect(rows).toMatchObject([
      { model: 'gpt-x', state: 'open', failures: 5 },
      { model: 'gpt-y', state: 'closed', failures: 1, rest_ms: 0 },
    ]);
  });

  it('resets a provider or one of its models, with a line in the audit for each', async () => {
    failOften('gpt-x', 5);
    failOften('org/gpt-y', 5);
    expect((await run(reset, {}, ['openai/org/gpt-y'])).stdout).toBe('Reset: openai/org/gpt-y.\n');
    expect(JSON.parse((await run(reset, { json: true }, ['openai'])).stdout)).toEqual({
      reset: ['openai/gpt-x'],
    });
    expect((await run(reset, {}, ['openai'])).stdout).toContain(
      'No failures of openai are counted',
    );
    const db = database();
    const lines = db.prepare("SELECT ref FROM audit WHERE action = 'breaker.reset'").pluck().all();
    expect(lines).toEqual(['openai/org/gpt-y', 'openai/gpt-x']);
    db.close();
  });

  it('needs a name', async () => {
    await expect(run(reset, {}, ['openai/'])).rejects.toThrow('Name a provider');
  });
});
