import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Capstan, openCapstan } from '../../src/app/open-capstan.ts';
import type { CommandDefinition } from '../../src/cli/command.ts';
import { command as capsules } from '../../src/cli/commands/capsules/capsules.ts';
import { command as route } from '../../src/cli/commands/capsules/route.ts';
import type { RunRecord } from '../../src/coordinator/store/runs/run-record.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { REDACTED } from '../../src/policy/secrets/redact.ts';
import { ioOf } from '../programs/recorded-io.ts';
import { openTaskRunner } from '../programs/run-tasks.ts';
import type { Approver } from '../setup/broker-parts.ts';
import { plainManifest } from '../setup/temporary-capsules.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { findSecret } from './find-secret.ts';

const PLAIN = 'sk-canary-Zk3vQ9rT7xW1yB5nD8mF2hJ6';
/** JSON writes it with escapes. */
const QUOTED = 'sk-"canary"\\Lp4wR8sU6vX2zC7';
const SECRETS = `${PLAIN} ${QUOTED}`;

let person: Person;
beforeEach(() => {
  person = temporaryPerson({ isFirstStart: true });
  Object.assign(person.environment, {
    CAPSTAN_PROVIDER: 'offline',
    OPENAI_API_KEY: PLAIN,
    ANTHROPIC_API_KEY: QUOTED,
  });
  person.writeProject('a.txt', 'one\n');
});
afterEach(() => person.remove());

const found = () => findSecret(join(person.home, '..'), [PLAIN, QUOTED]);

function writeLeakingCapsule(): void {
  const dir = join(person.home, 'data/agents/leaker');
  mkdirSync(dir, { recursive: true });
  const hex = Buffer.from(SECRETS).toString('hex');
  const tools = {
    file_io: { paths: ['**'] },
    terminal: { commands: ['**'] },
    web_fetch: { hosts: ['*'] },
  };
  const manifest = {
    ...plainManifest('leaker'),
    entrypoint: ['node', 'entrypoint.cjs', hex],
    grants: { tools },
  };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  copyFileSync(join(import.meta.dirname, 'leaking-capsule.cjs'), join(dir, 'entrypoint.cjs'));
}

interface RunRequest {
  readonly task: string;
  readonly namedCapsule?: string;
  readonly approver?: Approver;
  /** While the database is open. Default: that the secrets are nowhere. */
  readonly check?: (() => void) | undefined;
}

async function startRun({ approver, check, task, namedCapsule }: RunRequest): Promise<RunRecord> {
  const runner = await openTaskRunner(person, { settings: {}, approver });
  try {
    const run = await runner.run(task, { capsule: namedCapsule });
    // The write-ahead log, too.
    (check ?? (() => expect(found()).toEqual([])))();
    return run;
  } finally {
    await runner.close();
  }
}

const approver: Approver = {
  ask: async () => ({ answer: 'approve', by: SECRETS, note: SECRETS }),
};

describe('a secret that a capsule sends', () => {
  beforeEach(writeLeakingCapsule);

  it.each([
    // Requests that contain a secret are denied, which alone does not fail a run.
    ['everywhere', 'completed'],
    ['asks', 'completed'],
    ['text', 'completed'],
    ['stderr', 'completed'],
    ['artifact', 'failed'],
    ['error', 'failed'],
    ['type', 'failed'],
    ['longType', 'failed'],
    ['field', 'failed'],
    ['metric', 'failed'],
    ['list', 'failed'],
    ['sameId', 'failed'],
    ['crash', 'failed'],
    ['babble', 'failed'],
  ])('is written nowhere: %s', async (place, status) => {
    const run = await startRun({ task: `leak ${place}`, namedCapsule: 'leaker', approver });
    expect(run.status).toBe(status);
    expect(found()).toEqual([]);
  });

  it('is written nowhere while its question waits', async () => {
    const run = await startRun({ task: 'leak asks', namedCapsule: 'leaker' });
    expect(run.status).toBe('parked');
    expect(found()).toEqual([]);
  });

  it('leaves its placeholder in every row, event and log that it was sent to', async () => {
    const { id } = await startRun({ task: 'leak everywhere', namedCapsule: 'leaker', approver });
    const db = openDatabase(join(person.home, 'state/capstan.db'));
    const all = (sql: string) => db.prepare(sql).pluck().all().map(String);
    const marked = (texts: readonly string[]) => texts.filter((text) => text.includes(REDACTED));
    try {
      for (const column of ['wire_id', 'name', 'target', 'reason', 'request'])
        expect(marked(all(`SELECT ${column} FROM intents`)), column).not.toEqual([]);
      for (const column of ['metrics', 'response'])
        expect(marked(all(`SELECT ${column} FROM attempts`)), column).not.toEqual([]);
      expect(all('SELECT text FROM memory_updates')).toEqual(['']);
      expect(marked(all('SELECT result FROM subtasks'))).toHaveLength(1);
      const events = marked(all('SELECT event FROM events')).map((text) => JSON.parse(text).type);
      expect(new Set(events)).toEqual(
        new Set([
          'capsule.noise',
          'capsule.progressed',
          'memory.written',
          'tool.requested',
          'tool.answered',
          'intent.denied',
          'subtask.ended',
        ]),
      );
    } finally {
      db.close();
    }
    const memory = openMemory(join(person.home, 'data/agents/leaker/memory.db'));
    expect(memory.list()).toMatchObject([{ text: `Remember ${REDACTED} ${REDACTED}.` }]);
    memory.close();
    const logs = join(person.home, 'data/agents/leaker/logs');
    const [log = ''] = readdirSync(logs);
    expect(readFileSync(join(logs, log), 'utf8')).toContain(REDACTED);
    const events = readFileSync(join(person.home, `state/runs/${id}.jsonl`), 'utf8');
    expect(events).toContain(REDACTED);
  });
});

/** A parked run with one open question. */
async function parkedQuestion(capstan: Capstan, check?: () => void): Promise<string> {
  const { status } = await startRun({ task: 'Run `touch made.txt`', check });
  expect(status).toBe('parked');
  const [question] = await capstan.approvals.list();
  return question?.id ?? '';
}

/** A completed run. */
async function endedRun(): Promise<string> {
  const { id, status } = await startRun({ task: 'Count the lines of a.txt' });
  expect(status).toBe('completed');
  return id;
}

async function parkedRun(capstan: Capstan): Promise<string> {
  const { runId } = await capstan.approvals.get(await parkedQuestion(capstan));
  return runId;
}

/** Calls of the API that store the actor. */
const callsWithActor: readonly (readonly [
  string,
  (capstan: Capstan, by: string) => Promise<unknown>,
])[] = [
  ['runs.delete', async ({ runs }, by) => runs.delete([await endedRun()], { by })],
  [
    'runs.prune',
    async ({ runs }, by) => {
      person.environment['CAPSTAN_RUNS_KEEP_DAYS'] = '0';
      await endedRun();
      return runs.prune({ by });
    },
  ],
  ['runs.undo', async ({ runs }, by) => runs.undo(await endedRun(), { by })],
  ['runs.cancel', async (capstan, by) => capstan.runs.cancel(await parkedRun(capstan), { by })],
  [
    'runs.message',
    async (capstan, by) => capstan.runs.message(await parkedRun(capstan), 'Hurry up.', { by }),
  ],
  [
    'capsules.saveOverlay',
    ({ capsules }, by) => capsules.saveOverlay('summarizer', 'Be brief.\n', { by }),
  ],
  ['capsules.quarantine', ({ capsules }, by) => capsules.quarantine('file-clerk', { by })],
  [
    'capsules.restore',
    async ({ capsules }, by) => {
      await capsules.quarantine('file-clerk', {});
      return capsules.restore('file-clerk', { by });
    },
  ],
  [
    'capsules.create, archive and restore',
    async ({ capsules }, by) => {
      const { id } = await capsules.create(await capsules.propose('Sort recipes'), { by });
      await capsules.archive(id, { by });
      return capsules.restore(id, { by });
    },
  ],
  [
    'routing.correct',
    async ({ routing }, by) =>
      routing.correct(await routing.explain('Count lines'), { capsule: 'file-clerk', by }),
  ],
];

/** Calls of the API that accept the text or refuse it. */
const calls: readonly (readonly [string, (capstan: Capstan) => Promise<unknown>])[] = [
  ['approvals.get', (capstan) => capstan.approvals.get(SECRETS)],
  [
    'approvals.answer: note and by',
    async ({ approvals, ...capstan }) =>
      approvals.answer(await parkedQuestion({ approvals, ...capstan }), {
        answer: 'deny',
        by: QUOTED,
        note: `because of ${SECRETS}`,
      }),
  ],
  [
    'approvals.answer: answer',
    async (capstan) =>
      capstan.approvals.answer(await parkedQuestion(capstan), {
        answer: `capsule:${SECRETS}`,
        by: 'cli',
      }),
  ],
  [
    'approvals.answer: binding',
    async (capstan) =>
      capstan.approvals.answer(await parkedQuestion(capstan), {
        answer: 'deny',
        by: 'cli',
        binding: SECRETS,
      }),
  ],
  [
    'approvals.answer: remember.pattern',
    async (capstan) =>
      capstan.approvals.answer(await parkedQuestion(capstan), {
        answer: 'deny',
        by: 'cli',
        remember: { scope: 'capsule', pattern: `argv:touch ${SECRETS} **` },
      }),
  ],
  [
    'approvals.answer: remember by, then revoke by',
    async (capstan) => {
      await capstan.approvals.answer(await parkedQuestion(capstan), {
        answer: 'deny',
        by: PLAIN,
        remember: { scope: 'capsule' },
      });
      const [remembered] = await capstan.approvals.remembered();
      await capstan.approvals.revoke(remembered?.id ?? '', { by: PLAIN });
      await capstan.approvals.revoke(SECRETS, { by: 'cli' });
    },
  ],
  ['policy.explain: capsule', ({ policy }) => policy.explain([{ capsule: SECRETS, tool: 'x' }])],
  [
    'policy.explain: args',
    ({ policy }) =>
      policy.explain([
        { capsule: 'file-clerk', tool: 'file_io', args: { operation: 'read', path: SECRETS } },
        { capsule: 'file-clerk', tool: SECRETS, args: { [SECRETS]: SECRETS }, task: SECRETS },
      ]),
  ],
  ['policy.test', ({ policy }) => policy.test({ policyFile: PLAIN })],
  ['policy.backtest', ({ policy }) => policy.backtest({ policyFile: PLAIN })],
  ['trust.list', ({ trust }) => trust.list(SECRETS)],
  ['trust.reset', ({ trust }) => trust.reset(SECRETS, { by: PLAIN })],
  ['costs.report: by', ({ costs }) => costs.report({ by: SECRETS })],
  ['costs.report: run', ({ costs }) => costs.report({ run: SECRETS })],
  ['audit.verify', ({ audit }) => audit.verify({ head: SECRETS })],
  [
    'audit.export',
    async ({ audit }) => {
      for await (const _ of audit.export({ run: SECRETS })) break;
    },
  ],
  [
    'breakers.reset',
    ({ breakers }) => breakers.reset({ provider: SECRETS, model: SECRETS, by: PLAIN }),
  ],
];

describe('a secret in a call of the API', () => {
  it.each(calls)('is written nowhere: %s', async (_name, call) => {
    const capstan = await openCapstan({ env: person.environment, cwd: person.project });
    try {
      await call(capstan).catch((error: unknown) => {
        if (!(error instanceof Error && error.name === 'AppError')) throw error;
      });
      expect(found()).toEqual([]);
    } finally {
      await capstan.close();
    }
    expect(found()).toEqual([]);
  });

  it.each(callsWithActor)('is written nowhere: by of %s', async (_name, call) => {
    const capstan = await openCapstan({ env: person.environment, cwd: person.project });
    try {
      await call(capstan, PLAIN);
      expect(found()).toEqual([]);
      await expect(call(capstan, `cli\u202e`)).rejects.toMatchObject({ code: 'USAGE' });
    } finally {
      await capstan.close();
    }
    expect(found()).toEqual([]);
  });

  it('is written nowhere while the settings are invalid and the key is in the .env file', async () => {
    delete person.environment['OPENAI_API_KEY'];
    person.writeOwn('.env', `OPENAI_API_KEY=${PLAIN}\n`);
    const setUp = await openCapstan({ env: person.environment, cwd: person.project });
    const id = await parkedQuestion(setUp, () => {});
    await setUp.close();
    person.environment['CAPSTAN_CONCURRENCY'] = 'many';
    const capstan = await openCapstan({ env: person.environment, cwd: person.project });
    await capstan.approvals.answer(id, { answer: 'deny', by: 'cli', note: PLAIN });
    await capstan.close();
    rmSync(join(person.home, 'config/.env'));
    expect(found()).toEqual([]);
  });

  it('is written nowhere: the task of a run', async () => {
    await startRun({ task: `Count the lines of a.txt for ${SECRETS}`, approver });
    await startRun({ task: `Run \`echo ${PLAIN}\``, approver });
    await startRun({ task: `Write "${PLAIN}" into b.txt`, approver });
    expect(found()).toEqual([]);
  });
});

/** Commands that take text and whose functions are not yet called through the API here. */
const commands: readonly (readonly [
  string,
  CommandDefinition | undefined,
  string[],
  Record<string, unknown>,
])[] = [
  ['capsules create', sub('create'), [`Sort recipes by ${SECRETS}`], { yes: true, anyway: true }],
  [
    'capsules create: name, role and id',
    sub('create'),
    ['Sort recipes by their length'],
    { yes: true, anyway: true, name: SECRETS, role: SECRETS },
  ],
  ['capsules quarantine', sub('quarantine'), ['file-clerk'], { reason: SECRETS }],
  ['route: task', route, [`Count lines for ${SECRETS}`], {}],
  ['route: correct', route, [`Count lines for ${SECRETS}`], { correct: 'file-clerk' }],
];

function sub(name: string): CommandDefinition | undefined {
  return capsules.subcommands?.find((one) => one.name === name);
}

describe('a secret on the command line', () => {
  beforeEach(() => {
    vi.stubEnv('OPENAI_API_KEY', PLAIN);
    vi.stubEnv('ANTHROPIC_API_KEY', QUOTED);
  });
  afterEach(() => vi.unstubAllEnvs());

  it.each(commands)('is written nowhere: %s', async (_name, command, positionals, options) => {
    const io = ioOf({ environment: person.environment, cwd: person.project });
    const code = await command?.run({ positionals, options }, io);
    expect(code).toBe(0);
    expect(found()).toEqual([]);
  });
});
