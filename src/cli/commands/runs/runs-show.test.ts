import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { openTaskRunner } from '../../../../test/programs/run-tasks.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { command } from './runs.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

/** Runs one task without a language model, with approve mode `allow`. */
async function carryOut(task: string): Promise<string> {
  const settings = { provider: 'offline', approveMode: 'allow' };
  const { run, close } = await openTaskRunner(person, { settings, isIsolationWaived: false });
  try {
    return (await run(task)).id;
  } finally {
    await close();
  }
}

async function show(id: string, options: Record<string, unknown> = {}): Promise<string> {
  const io = ioOf({ environment: person.environment, cwd: person.project });
  const subcommand = command.subcommands?.find(({ name }) => name === 'show');
  expect(await subcommand?.run({ positionals: [id], options }, io)).toBe(0);
  return io.out();
}

describe('capstan runs show', () => {
  it('shows the capsules, their changes line by line, and who approved them', async () => {
    person.writeProject('notes.txt', 'one\ntwo\nthree\n');
    writeFileSync(join(person.project, 'count.md'), 'old words\n');
    const id = await carryOut('Count the lines of notes.txt and save the result as count.md');
    const text = await show(id);
    expect(text).toMatch(/^file-clerk +step_2 +completed +1 completed +/m);
    expect(text).toMatch(
      /^done +file_io.write count.md +\(tier 1 \(write\); file-clerk, step_2, request \d+; approved by approve_mode\)$/m,
    );
    expect(text).toContain('changed count.md');
    expect(text).toContain('│ -old words');
    expect(text).toMatch(/│ \+notes.txt has 3 lines/);
    expect(text).toMatch(/^approve +\S.* by approve_mode, /m);

    const document = JSON.parse(await show(id, { json: true }));
    expect(document).toMatchObject({
      run_id: id,
      status: 'completed',
      task: expect.stringMatching(/^Count the lines/),
      workspace: person.project,
      ended_at: expect.any(String),
      effects: [
        {
          what: 'file_io.write count.md',
          status: 'done',
          approved_by: 'approve_mode',
          files: [{ path: 'count.md', diff: expect.stringContaining('-old words') }],
        },
      ],
      composition: [
        { subtask_id: 'step_1', capsule_id: 'file-clerk', outcome: 'completed', cost_usd: 0 },
        { subtask_id: 'step_2', capsule_id: 'file-clerk', outcome: 'completed', cost_usd: 0 },
      ],
      approvals: [{ kind: 'tool', status: 'consumed', answer: 'approve' }],
    });
    expect(document.composition[1].attempts).toMatchObject([{ number: 1, status: 'completed' }]);
  });

  it('lists read-only commands, and with --full what each command printed', async () => {
    const id = await carryOut('Run `seq 1 100`');
    const brief = await show(id);
    expect(brief).toMatch(/^done +terminal\.read seq 1 100 /m);
    expect(brief).not.toContain('│ exit code');
    const full = await show(id, { full: true });
    expect(full).toMatch(/│ exit code 0\n +│ 1\n/);
    expect(full).toMatch(/│ 20\n +│ \[60 lines left out\]\n +│ 81\n/);
    expect(full).toContain('│ 100\n');
  });

  it('names 20 files of a command once each and counts the others, and names all with --full', async () => {
    const id = await carryOut('Run `touch $(seq 1001 1700)`');
    const brief = await show(id);
    expect(brief.match(/^ +new file 1\d\d\d /gm)).toHaveLength(20);
    expect(brief.split('\n').length).toBeLessThan(60);
    expect(brief).toContain('        … and 680 more files (capstan runs diff shows them)\n');
    expect((await show(id, { full: true })).match(/^ +new file 1\d\d\d /gm)).toHaveLength(700);
  });

  it('counts the lines of a long diff that it leaves out, and shows all with --full', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `\u202eline ${index}`);
    person.writeProject('count.md', `${lines.join('\n')}\n`);
    person.writeProject('notes.txt', 'one\n');
    const id = await carryOut('Count the lines of notes.txt and save the result as count.md');
    const brief = await show(id);
    expect(brief).toMatch(/│ … \d+ more lines \(--full shows all\)/);
    expect(brief).toContain('│ -\\u202eline 0');
    expect(brief).not.toContain('line 99');
    expect(await show(id, { full: true })).toContain('│ -\\u202eline 99');
  });
});
