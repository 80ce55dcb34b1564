import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startModelServer } from '../model-server/model-server.ts';
import type { Script, ScriptedRequest } from '../model-server/script.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox();
});
afterEach(() => sandbox.remove());

const put = (name: string, text: string) => writeFileSync(join(sandbox.workspace, name), text);
const read = (name: string) => readFileSync(join(sandbox.workspace, name), 'utf8');

/** A capsule of the person's own, whose handler is this code. */
function addCapsule(id: string, handler: string): void {
  const dir = join(sandbox.home, 'capstan/data/agents', id);
  mkdirSync(dir, { recursive: true });
  const manifest = {
    id,
    name: id,
    version: '1.0.0',
    description: 'Does what its test needs.',
    entrypoint: ['node', 'entrypoint.cjs'],
    grants: { tools: { file_io: { paths: ['**'] }, terminal: { commands: ['**'] } } },
    skills: [],
    task_kinds: [{ name: 'work', mode: 'handler', description: 'Works.' }],
  };
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(dir, 'handlers.cjs'), handler);
  writeFileSync(
    join(dir, 'entrypoint.cjs'),
    `'use strict';\nconst { start } = require(process.env.CAPSTAN_SDK);
start({ handlers: () => require('./handlers.cjs').handlers });\n`,
  );
}

/** Carries out SQL on the database of a run whose process is gone. */
function alter(sql: string): void {
  const db = new Database(join(sandbox.home, 'capstan/state/capstan.db'));
  db.pragma('foreign_keys = ON');
  db.exec(sql);
  db.close();
}

describe('a run whose process died between an invalid result and the next attempt', () => {
  const handler = `exports.handlers = { async work({ call, request }) {
    const { standing_effects: effects } = request.context;
    if (effects === undefined) {
      await call('file_io', { operation: 'append', path: 'log.txt', content: 'one\\n' }, 'to log');
      return '';
    }
    const { entries } = await call('file_io', { operation: 'list', path: '.' }, 'to look');
    if (!entries.some(({ path }) => path === 'go.txt'))
      await call('terminal', { argv: ['sleep', '20'], access: 'write' }, 'to wait');
    return 'It stands: ' + JSON.stringify(effects);
  } };`;

  async function died(): Promise<string> {
    addCapsule('logger', handler);
    const { child, ended, said } = sandbox.start([
      ...['run', '--provider', 'offline', '--approve-mode', 'allow', '--capsule', 'logger'],
      ...['--log-level', 'debug', 'Log it'],
    ]);
    await said('"target":"sleep 20"');
    child.kill('SIGKILL');
    await ended;
    const [{ run_id: id }] = JSON.parse(
      (await sandbox.run(['runs', 'list', '--all', '--json'])).stdout,
    );
    alter(`DELETE FROM approvals; DELETE FROM intents WHERE attempt_id IN (SELECT id FROM attempts WHERE number = 2);
      DELETE FROM attempts WHERE number = 2`);
    put('go.txt', '');
    return id;
  }

  it('starts again with the list of remaining effects', async () => {
    const id = await died();
    const { document } = await sandbox.runJson(['resume', id]);
    expect(document).toMatchObject({ status: 'completed' });
    expect(document.answer).toContain('{"operation":"file_io.append","target":"log.txt"}');
    expect(read('log.txt')).toBe('one\n');
  });

  it('fails like that attempt if none is left', async () => {
    const id = await died();
    alter(`UPDATE runs SET options = json_set(options, '$.maxAttempts', 1)`);
    const { document } = await sandbox.runJson(['resume', id]);
    expect(document.subtasks).toMatchObject([{ status: 'failed', attempts: 1 }]);
    expect(document.subtasks[0]?.error?.code).toBe('RESULT_EMPTY');
  });
});

describe('a capsule that returns its result while one of its requests is active', () => {
  it('is waited for, and the run knows the outcome of the request', async () => {
    addCapsule(
      'hasty',
      `exports.handlers = { async work({ call }) {
        const command = 'echo begun > begun.txt; sleep 1; echo done > late.txt';
        call('terminal', { command, access: 'write' }, 'to write').catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 500));
        return 'It will be written.';
      } };`,
    );
    const { document } = await sandbox.runJson([
      ...['run', '--provider', 'offline', '--approve-mode', 'allow', '--capsule', 'hasty'],
      'Write it',
    ]);
    expect(document).toMatchObject({ status: 'completed' });
    expect(read('late.txt')).toBe('done\n');
    const { stdout } = await sandbox.run(['runs', 'show', document.run_id, '--json']);
    expect(JSON.parse(stdout).effects).toMatchObject([{ status: 'done' }]);
  });
});

describe('a run that made a capsule before it parked', () => {
  const plans = (said: string) =>
    said.includes('"phase":"execution"')
      ? { discovery: [], execution: [step('write', 'Write the poem in capitals to loud.txt')] }
      : { discovery: [step('look', 'Read poem.txt')], execution: [] };
  const step = (id: string, description: string) => ({ id, description, depends_on: [] });

  function stepOf({ messages }: ScriptedRequest) {
    const isWriting = messages[0]?.content.includes('Write the poem') === true;
    const args = isWriting
      ? { operation: 'write', path: 'loud.txt', content: 'ROSES ARE RED\n' }
      : { operation: 'read', path: 'poem.txt' };
    if (!messages.some(({ role }) => role === 'tool'))
      return { tool_calls: [{ name: 'file_io', args }] };
    return { tool_calls: [{ name: 'final', args: { status: 'ok', result: 'Done.' } }] };
  }

  const script: Script = (request) => {
    const said = request.messages.map(({ content }) => content).join('\n');
    const documents: Record<string, unknown> = {
      plan: plans(said),
      judge: { choice: said.includes('Write the poem') ? 'file-clerk' : null, why: 'files' },
      profile: {
        id: 'bard',
        name: 'Bard',
        description: 'Rewrites poems.',
        grants: { file_io: { operations: ['read'], paths: ['**'] } },
      },
      answer: { answer: 'The poem is loud now.' },
    };
    const { responseName } = request;
    return responseName === undefined ? stepOf(request) : { json: documents[responseName] };
  };

  it('ends with the text of the model, asks nothing for its own sake, and replays', async () => {
    put('poem.txt', 'Roses are red\n');
    put('loud.txt', 'quiet\n');
    const server = await startModelServer({ vendor: 'openai', script });
    const environment = {
      CAPSTAN_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: 'key-0123456789abcdef0123456789abcdef',
      CAPSTAN_ROUTE_TAKE: '2',
    };
    try {
      const words = ['run', '--provider', 'openai', '--model', server.model, 'Make the poem loud'];
      let { document } = await sandbox.runJson(words, environment);
      const kinds: string[] = [];
      for (let life = 0; document.status === 'parked' && life < 5; life++) {
        for (const { id, kind, status } of document.approvals) {
          if (status !== 'pending') continue;
          kinds.push(kind);
          await sandbox.run(['approvals', 'approve', id]);
        }
        ({ document } = await sandbox.runJson(['resume', document.run_id], environment));
      }
      expect(kinds).toEqual(['create', 'tool']);
      expect(document).toMatchObject({ status: 'completed', answer: 'The poem is loud now.' });
      expect(existsSync(join(sandbox.home, 'capstan/data/agents/bard'))).toBe(true);
      const replayed = await sandbox.run(['replay', document.run_id]);
      expect(replayed.stdout).toContain('identical');
    } finally {
      await server.close();
    }
  });
});

describe('a file that somebody changed while the run was parked', () => {
  it('is read again, asked about once more with the new diff, and edited as it is', async () => {
    put('notes.txt', 'red\n');
    const task = 'Replace "red" with "blue" in notes.txt';
    let { document } = await sandbox.runJson(['run', '--provider', 'offline', task]);
    const asked: string[] = [];
    while (document.status === 'parked' && asked.length < 5) {
      if (asked.length === 0) put('notes.txt', 'red\nred as well\n');
      const [question] = document.approvals.filter(({ status }) => status === 'pending');
      asked.push(question?.kind ?? 'nothing');
      await sandbox.run(['approvals', 'approve', question?.id ?? '']);
      ({ document } = await sandbox.runJson(['resume', document.run_id]));
    }
    expect(asked).toEqual(['tool', 'changed_file']);
    expect(document).toMatchObject({ status: 'completed' });
    expect(read('notes.txt')).toBe('blue\nblue as well\n');
    expect((await sandbox.run(['replay', document.run_id])).stdout).toContain('identical');
    expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
  });
});
