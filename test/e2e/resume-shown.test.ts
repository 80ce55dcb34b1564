import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
  writeFileSync(join(sandbox.workspace, 'keep.txt'), 'mine\n');
});
afterEach(() => sandbox.remove());

/** The id of a run that waits for an answer. */
async function parked(): Promise<string> {
  const asks = ['run', '--provider', 'offline', 'Run `rm keep.txt`'];
  const { document } = await sandbox.runJson(asks);
  expect(document.status).toBe('parked');
  return document.run_id ?? '';
}

async function approve(): Promise<void> {
  const { stdout } = await sandbox.run(['approvals', 'list', '--json']);
  const [{ id }] = JSON.parse(stdout) as [{ id: string }];
  expect((await sandbox.run(['approvals', 'approve', id])).exitCode).toBe(0);
}

const report = () => readFileSync(join(sandbox.workspace, 'report.xml'), 'utf8');

describe('a run that is resumed', () => {
  it('leaves a JUnit report: of the question while it waits, of its steps once it is answered', async () => {
    const id = await parked();
    const waits = await sandbox.run(['resume', id, '--junit', 'report.xml']);
    expect(waits.exitCode).toBe(3);
    expect(report()).toMatch(/ failures="0" errors="1" /);
    await approve();
    const done = await sandbox.run(['resume', id, '--junit', 'report.xml']);
    expect(done.exitCode).toBe(0);
    expect(report()).toMatch(/ tests="1" failures="0" errors="0" /);
  });

  it("writes a JUnit report also if it can't be resumed", async () => {
    const refused = await sandbox.run(['resume', '00000000', '--junit', 'report.xml']);
    expect(refused.exitCode).not.toBe(0);
    expect(report()).toContain('There is no run &quot;00000000&quot;.');
  });

  it('prints its events one a line, then the document', async () => {
    const id = await parked();
    await approve();
    const { exitCode, stdout } = await sandbox.run(['resume', id, '--jsonl']);
    expect(exitCode).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.at(-1)).toMatchObject({ type: 'result', run_id: id, status: 'completed' });
  });

  it('waits for the given time for an answer from elsewhere', async () => {
    const id = await parked();
    const resumed = sandbox.start(['resume', id, '--wait', '60', '--plain', '--log-level', 'info']);
    await resumed.said('keep.txt');
    expect(resumed.child.exitCode).toBeNull();
    await approve();
    expect((await resumed.ended).exitCode).toBe(0);
  });
});
