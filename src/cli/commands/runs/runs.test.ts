import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordFailedRun } from '../../../../test/programs/record-failed-run.ts';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { AppError } from '../../../contract/errors.ts';
import { openStores } from '../../../coordinator/store/open-stores.ts';
import { eventFile } from '../../../events/event-log.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { command } from './runs.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

const stateDir = () => join(person.home, 'state');

/** Rows of runs that never started, oldest first. */
function refused(...workspaces: readonly string[]): string[] {
  const stores = openStores(stateDir(), { redactor: noSecrets });
  try {
    return workspaces.map(
      (workspace) =>
        recordFailedRun(stores, { task: 'x', workspace }, new AppError('USAGE', { problem: 'bad' }))
          .id,
    );
  } finally {
    stores.close();
  }
}

async function run(
  name: string,
  positionals: readonly string[],
  options: Record<string, unknown>,
  environment: NodeJS.ProcessEnv = {},
) {
  const io = ioOf({ environment: { ...person.environment, ...environment }, cwd: person.project });
  const subcommand = command.subcommands?.find((one) => one.name === name);
  await subcommand?.run({ positionals, options }, io);
  return io.out();
}

const idsOf = (json: string): string[] =>
  (JSON.parse(json) as { run_id: string }[]).map(({ run_id }) => run_id);

describe('capstan runs', () => {
  it('lists the runs of one folder', async () => {
    const [inProject, elsewhere] = refused(person.project, '/elsewhere');
    const list = async (options: Record<string, unknown>) =>
      idsOf(await run('list', [], { json: true, ...options }));
    expect(await list({})).toEqual([inProject]);
    expect(await list({ all: true })).toEqual([elsewhere, inProject]);
    expect(await list({ workspace: '/elsewhere' })).toEqual([elsewhere]);
  });

  it('names the command that lists the runs of other folders if this one has none', async () => {
    expect(await run('list', [], {})).toContain('capstan runs list --all\n');
  });

  it('says that no run matches if there are others', async () => {
    refused(person.project);
    const none = 'No runs match in this folder. Those of all folders: capstan runs list --all\n';
    expect(await run('list', [], { status: 'pending' })).toBe(none);
  });

  it('names the workspace of each run in full in a pipe', async () => {
    refused(person.project, '/srv/elsewhere');
    const [head = '', elsewhere, inProject] = (await run('list', [], { all: true })).split('\n');
    expect(head).toBe('run\tbegan\tstatus\treason\tcost\tworkspace\ttask');
    expect(elsewhere).toMatch(/\t\/srv\/elsewhere\tx$/);
    expect(inProject?.split('\t').slice(-2)).toEqual([person.project, 'x']);
  });

  it("prints a run's events as one JSON list, without a truncated line", async () => {
    const [id = ''] = refused(person.project);
    mkdirSync(join(stateDir(), 'runs'), { recursive: true });
    writeFileSync(eventFile(stateDir(), id), '{"type":"run.started"}\n{"type":"run.en');
    expect(JSON.parse(await run('logs', [id], { json: true }))).toEqual([{ type: 'run.started' }]);
  });

  it('prints as JSON which runs it deleted, or would delete', async () => {
    const [first, second, third] = refused(person.project, person.project, person.project);
    expect(JSON.parse(await run('delete', [first ?? ''], { yes: true, json: true }))).toEqual({
      deleted: [first],
    });
    const forgetful = { CAPSTAN_RUNS_KEEP_BYTES: '0', CAPSTAN_RUNS_KEEP_DAYS: '0' };
    const dry = await run('prune', [], { dryRun: true, json: true }, forgetful);
    expect(JSON.parse(dry)).toMatchObject({ dry_run: true, deleted: [] });
    const done = JSON.parse(await run('prune', [], { json: true }, forgetful));
    expect(done.deleted.toSorted()).toEqual([second, third].toSorted());
    expect(idsOf(await run('list', [], { json: true }))).toEqual([]);
  });

  it('shows the last run, and any by the end of its id; to delete one takes 8 characters', async () => {
    const [first = '', second = ''] = refused(person.project, person.project);
    const shown = async (id: string) => JSON.parse(await run('show', [id], { json: true })).run_id;
    expect(await shown('last')).toBe(second);
    expect(await shown(first.slice(-6))).toBe(first);
    const remove = (id: string) => run('delete', [id], { yes: true, json: true });
    await expect(remove('last')).rejects.toThrow(`The newest run is ${second}`);
    await expect(remove(first.slice(-6))).rejects.toThrow('Write the last 8 characters');
    expect(JSON.parse(await remove(first.slice(-8)))).toEqual({ deleted: [first] });
  });
});
