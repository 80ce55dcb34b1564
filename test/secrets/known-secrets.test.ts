import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCapstan } from '../../src/app/open-capstan.ts';
import { verifyAudit } from '../../src/broker/audit/verify-audit.ts';
import { command as approvals } from '../../src/cli/commands/approvals/approvals.ts';
import { command as runs } from '../../src/cli/commands/runs/runs.ts';
import type { Approval } from '../../src/contract/approval.ts';
import type { CapstanEvent } from '../../src/contract/event.ts';
import type { Stores } from '../../src/coordinator/store/create-stores.ts';
import type { RunRecord } from '../../src/coordinator/store/runs/run-record.ts';
import { REDACTED } from '../../src/policy/secrets/redact.ts';
import { ioOf } from '../programs/recorded-io.ts';
import { openTaskRunner } from '../programs/run-tasks.ts';
import type { Approver } from '../setup/broker-parts.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

const KEY = 'sk-proj-Zk3vQ9rT7xW1yB5nD8mF2hJ6';

let person: Person;
beforeEach(() => {
  person = temporaryPerson({ isFirstStart: true });
});
afterEach(() => person.remove());

interface Lived {
  readonly run: RunRecord;
  readonly events: readonly CapstanEvent[];
  readonly asked: readonly Approval[];
}

/** One run of a user with a key of OpenAI, without a language model; a person approves. */
async function runOnce(task: string, look: (stores: Stores) => void = () => {}): Promise<Lived> {
  const asked: Approval[] = [];
  const approver: Approver = {
    async ask(question) {
      asked.push(question);
      return { answer: 'approve', by: 'terminal', note: `because of ${KEY}` };
    },
  };
  const environment = { OPENAI_API_KEY: KEY };
  const options = { environment, approver, isIsolationWaived: false };
  const { run: runTask, events, stores, close } = await openTaskRunner(person, options);
  try {
    const run = await runTask(task);
    look(stores);
    return { run, events, asked };
  } finally {
    await close();
  }
}

/** Every file of Capstan's own folders that contains the key. */
function filesWithKey(dir = person.home): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(KEY));
}

async function show(
  { subcommands }: Pick<typeof runs, 'subcommands'>,
  id: string,
): Promise<string> {
  const io = ioOf({ environment: person.environment, cwd: person.project });
  const subcommand = subcommands?.find(({ name }) => name === 'show');
  await subcommand?.run({ positionals: [id], options: { full: true } }, io);
  return io.out();
}

describe('a known secret', () => {
  it('in a line next to the changed one stays in the file, and is stored nowhere else', async () => {
    const path = person.writeProject('settings.ini', `key = ${KEY}\nmode = staging\n`);
    const { run, asked, events } = await runOnce(
      'Replace "staging" with "production" in settings.ini',
      ({ db }) => expect(verifyAudit(db).problems).toEqual([]),
    );
    expect(run.status).toBe('completed');
    expect(readFileSync(path, 'utf8')).toBe(`key = ${KEY}\nmode = production\n`);
    const [question] = asked;
    expect(question?.details).toContain(`replaces a secret`);
    expect(question?.details).toContain(` key = ${REDACTED}\n-mode = staging\n+mode = production`);
    const shown = `${await show(approvals, question?.id ?? '')}${await show(runs, run.id)}`;
    expect(shown).toContain(REDACTED);
    expect(shown + JSON.stringify([asked, events])).not.toContain(KEY);
    expect(filesWithKey()).toEqual([]);
  });

  it('in the task goes no further than its beginning, and that is said', async () => {
    person.writeProject('notes.txt', 'one\n');
    const { run, events } = await runOnce(`Count the lines of notes.txt for ${KEY}`);
    expect(run.task).toBe(`Count the lines of notes.txt for ${REDACTED}`);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'run.noticed', text: expect.stringContaining(REDACTED) }),
    );
    expect(JSON.stringify(events)).not.toContain(KEY);
    expect(filesWithKey()).toEqual([]);
  });
});

it('a key that appears after Capstan was opened is removed as well', async () => {
  const capstan = await openCapstan({ env: person.environment, cwd: person.project });
  try {
    person.writeOwn('.env', `OPENAI_API_KEY=${KEY}\n`);
    const run = await capstan.runs.start({
      task: `Count the lines of notes.txt for ${KEY}`,
      settings: { provider: 'offline' },
      isIsolationWaived: true,
    });
    await run.finished;
    const tasks = (await capstan.runs.list()).map(({ task }) => task);
    expect(tasks).toEqual([`Count the lines of notes.txt for ${REDACTED}`]);
  } finally {
    await capstan.close();
  }
  expect(filesWithKey()).toEqual([join(person.home, 'config/.env')]);
});

it('a key next to invalid settings is removed from the refused run', async () => {
  const capstan = await openCapstan({ env: person.environment, cwd: person.project });
  try {
    person.writeOwn('.env', `OPENAI_API_KEY=${KEY}\nCAPSTAN_PROVIDER=nonesuch\n`);
    await expect(capstan.runs.start({ task: `Use ${KEY}` })).rejects.toMatchObject({
      code: 'SETTINGS_INVALID',
    });
  } finally {
    await capstan.close();
  }
  expect(filesWithKey()).toEqual([join(person.home, 'config/.env')]);
});
