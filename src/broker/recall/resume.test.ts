import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approver } from '../../../test/setup/broker-parts.ts';
import { addRun, brokerPartsOf, policyWith, runScopeOf } from '../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import type { Approval, ApprovalAnswer } from '../../contract/approval.ts';
import type { AppError } from '../../contract/errors.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { ToolCallResult } from '../../contract/wire/coordinator-messages.ts';
import type { Db } from '../../db/open-database.ts';
import { toolbox } from '../../tools/toolbox.ts';
import type { Service } from '../../tools/web/authorize.ts';
import { createBroker } from '../answer.ts';
import { hadEffect } from '../intent/record.ts';
import { newTally } from '../intent/scope.ts';
import { createRecordPool } from './record-pool.ts';

let dir: string;
let workspace: string;
let db: Db;
beforeEach(() => {
  ({ dir, db } = temporaryDatabase());
  workspace = realpathSync(mkdtempSync(join(dir, 'workspace-')));
  addRun(db, 'run-1');
  db.exec(`INSERT INTO subtasks (run_id, id, phase, position, description, depends_on, status)
    VALUES ('run-1', 's1', 'execution', 0, 'a subtask', '[]', 'running')`);
});

const put = (name: string, content: string | Buffer) =>
  writeFileSync(join(workspace, name), content);
const read = (name: string) => readFileSync(join(workspace, name), 'utf8');

const grants = new Map([
  ['file_io', { paths: ['**'] }],
  ['terminal', { commands: ['**'] }],
  ['http_api', { hosts: ['*'] }],
]);

/** Approves everything except the named requests. */
const person = (answers: Partial<Record<Approval['kind'], ApprovalAnswer>> = {}) => {
  const asked: Approval[] = [];
  const approver: Approver = {
    async ask(question) {
      asked.push(question);
      return { answer: answers[question.kind] ?? 'approve', by: 'terminal' };
    },
  };
  return { asked, approver };
};

interface LifeOptions {
  readonly approver?: Approver;
  readonly services?: ReadonlyMap<string, Service>;
  readonly toolTimeoutMs?: number;
}

let lives = 0;

/** One attempt of the same subtask, with the recorded outcomes of the previous one. */
function nextLife({ approver, services, toolTimeoutMs = 10_000 }: LifeOptions = {}) {
  lives += 1;
  const [before, attemptId] = [`a${lives - 1}`, `a${lives}`];
  db.prepare(`INSERT INTO attempts (id, run_id, subtask_id, number, capsule_id, capsule_hash, status, started_at)
    VALUES (?, 'run-1', 's1', ?, 'clerk', 'c0ffee', 'running', '2026-01-01')`).run(
    attemptId,
    lives,
  );
  const parts = brokerPartsOf(db, {
    tools: toolbox,
    approver,
    services,
    limits: { toolTimeoutMs },
  });
  const recorded = parts.journal.recordOf(before);
  const policy = policyWith({ gates: { execute: 'allow', spend: 'allow' } });
  const run = runScopeOf({ id: 'run-1', workspace, policy }, grants);
  const over = new AbortController();
  const ended: AppError[] = [];
  const scope = {
    ...run.coordinator,
    attemptId,
    services: [...(services?.keys() ?? [])],
    signal: over.signal,
    ending: over.signal,
    tally: newTally(),
    record: createRecordPool(recorded),
    end: (error: AppError) => void ended.push(error),
  };
  const broker = createBroker({
    ...parts,
    surroundings: { ...parts.surroundings, privateOrigins: new Set(origins) },
  });
  const file = async (id: string, operation: string, args: Record<string, unknown>) =>
    (await broker.answer(
      { type: 'tool_call_intent', id, tool: 'file_io', args: { operation, ...args }, reason: '' },
      scope,
    )) as ToolCallResult;
  const tool = async (id: string, name: string, args: Record<string, unknown>) =>
    (await broker.answer(
      { type: 'tool_call_intent', id, tool: name, args, reason: '' },
      scope,
    )) as ToolCallResult;
  const http = (id: string, method: string, path: string) =>
    broker.answer(
      {
        type: 'api_call_intent',
        id,
        provider: '',
        endpoint: '',
        reason: '',
        request: { kind: 'http', service: 'post', method: method as 'POST', path },
      },
      scope,
    );
  const rows = (): readonly IntentRecord[] => parts.journal.intentsOf('run-1');
  return { parts, scope, ended, file, tool, http, rows, stop: () => over.abort() };
}
beforeEach(() => {
  lives = 0;
});

let origins: string[] = [];
const closing: (() => void)[] = [];
afterEach(() => {
  origins = [];
  for (const close of closing.splice(0)) close();
});

/** A service that accepts a request and disconnects before it answers. */
async function lossyService() {
  const got: string[] = [];
  const server = createServer((request) => {
    got.push(`${request.method} ${request.url}`);
    request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  closing.push(close);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  origins.push(origin);
  const service: Service = {
    name: 'post',
    origin,
    credential: {
      place: { in: 'header', name: 'x-key', scheme: undefined },
      secret: 'a-key-that-opens-nothing',
    },
    priceMicroUsd: 0,
    methods: ['GET', 'POST'],
    paths: ['/**'],
  };
  return { got, close, services: new Map([['post', service]]) };
}

describe('a request that may have taken effect', () => {
  it('is not sent again to a service whose response was lost, and the capsule gets an error', async () => {
    const { got, services } = await lossyService();
    const first = await nextLife({ services }).http('i1', 'POST', '/order');
    expect(JSON.stringify(first)).toContain('may have taken effect');
    const second = await nextLife({ services }).http('i1', 'POST', '/order');
    expect(second).toEqual(first);
    expect(got).toEqual(['POST /order']);
  });

  it('is sent to a service again if it changes nothing', async () => {
    const { got, close, services } = await lossyService();
    await nextLife({ services }).http('i1', 'GET', '/orders');
    await nextLife({ services }).http('i1', 'GET', '/orders');
    expect(got).toHaveLength(2);
    close();
    const life = nextLife({ services });
    await life.http('i2', 'POST', '/order');
    const posts = () => life.rows().filter(({ name }) => name === 'http_api.POST');
    expect(posts()).toMatchObject([{ status: 'failed', startedAt: null }]);
    expect(life.scope.tally.effects).toBe(0);
    await nextLife({ services }).http('i2', 'POST', '/order');
    expect(posts()).toHaveLength(2);
  });

  it('remains after a command that was stopped at its deadline', async () => {
    const life = nextLife({ toolTimeoutMs: 500 });
    const command = 'echo done >> done.txt; sleep 20';
    const reply = await life.tool('i1', 'terminal', { command, access: 'write' });
    expect(reply.error).toMatchObject({ code: 'TOOL_TIMED_OUT' });
    expect(life.rows().map(hadEffect)).toEqual([true]);
    const again = nextLife();
    expect(await again.tool('i1', 'terminal', { command, access: 'write' })).toEqual(reply);
    expect(read('done.txt')).toBe('done\n');
  });

  it('is not kept after an edit that found nothing to replace', async () => {
    put('a.txt', 'one');
    const life = nextLife(person());
    const args = { path: 'a.txt', old_text: 'two', new_text: 'three' };
    expect((await life.file('i1', 'edit', args)).ok).toBe(false);
    expect(life.rows().map(hadEffect)).toEqual([false]);
    expect(life.scope.tally.effects).toBe(0);
  });
});

describe('a capsule that makes a different request than before', () => {
  const append = (text: string) => ({ path: 'log.txt', content: text });

  it('continues without a question after a read, and repeats no effect under a new id', async () => {
    await nextLife().file('i1', 'append', append('one\n'));
    const { asked, approver } = person();
    const life = nextLife({ approver });
    await life.file('i1', 'list', { path: '.' });
    expect((await life.file('i2', 'append', append('one\n'))).ok).toBe(true);
    expect(read('log.txt')).toBe('one\n');
    expect(asked).toEqual([]);
  });

  it('continues without a question if the request matches no recorded effect', async () => {
    await nextLife().file('i1', 'append', append('one\n'));
    const { asked, approver } = person();
    const life = nextLife({ approver });
    await life.file('i1', 'append', { path: 'other.txt', content: 'x' });
    await life.file('i2', 'append', append('one\n'));
    expect([read('log.txt'), read('other.txt'), asked]).toEqual(['one\n', 'x', []]);
  });

  it('is asked about before it changes the same file in another way, and is denied', async () => {
    await nextLife().file('i1', 'append', append('one\n'));
    const { asked, approver } = person({ divergence: 'deny' });
    const life = nextLife({ approver });
    expect((await life.file('i1', 'append', append('two\n'))).ok).toBe(false);
    expect(life.ended[0]?.code).toBe('CAPSULE_DIVERGED');
    expect(asked[0]?.details).toContain('file_io.append log.txt (done)');
    expect(read('log.txt')).toBe('one\n');
  });

  it('is asked about once, continues after an approval in any later attempt, and repeats nothing', async () => {
    await nextLife().file('i1', 'append', append('one\n'));
    const { asked, approver } = person();
    const life = nextLife({ approver });
    await life.file('i1', 'append', append('two\n'));
    await life.file('i2', 'append', append('one\n'));
    const later = nextLife({ approver });
    await later.file('i1', 'append', append('two\n'));
    await later.file('i2', 'append', append('three\n'));
    expect(read('log.txt')).toBe('one\ntwo\nthree\n');
    expect(asked.map(({ kind }) => kind)).toEqual(['divergence']);
  });

  it('is always asked about if it runs a command, or ran one, since its words do not show its effect', async () => {
    await nextLife().tool('i1', 'terminal', { argv: ['touch', 'a'], access: 'write' });
    const { asked, approver } = person({ divergence: 'deny' });
    await nextLife({ approver }).file('i1', 'write', { path: 'b', content: '' });
    expect(asked.map(({ kind }) => kind)).toEqual(['divergence']);
  });
});

describe('a question about a file that changes before it is answered', () => {
  const nobody: Approver = {
    ask: (_question, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
  };

  /** Asks, and ends before there is an answer. */
  async function askedInAnotherLife(content: Buffer): Promise<string> {
    put('image.bin', content);
    const life = nextLife({ approver: nobody });
    const asking = life.file('i1', 'write', { path: 'image.bin', content: 'text' });
    await expect.poll(() => life.parts.approvals.pending()).toHaveLength(1);
    life.stop();
    await asking;
    return life.parts.approvals.pending()[0]?.id ?? '';
  }

  it("is asked again by a later process, without a diff, and the old question can't be answered", async () => {
    const first = await askedInAnotherLife(Buffer.from([0, 1, 2]));
    put('image.bin', Buffer.from([0, 1, 3]));
    const { asked, approver } = person({ changed_file: 'deny' });
    const life = nextLife({ approver });
    expect((await life.file('i1', 'write', { path: 'image.bin', content: 'text' })).ok).toBe(false);
    expect(asked.map(({ kind, isForced }) => [kind, isForced])).toEqual([['changed_file', true]]);
    expect(life.parts.approvals.find(first)?.status).toBe('expired');
    expect(read('image.bin')).toBe('\0\x01\x03');
  });

  it('is asked again if it was answered before the change', async () => {
    const first = await askedInAnotherLife(Buffer.from([0, 1, 2]));
    const { asked, approver } = person();
    const life = nextLife({ approver });
    const question = life.parts.approvals.find(first);
    if (!question) throw new Error('there is no question');
    life.parts.desk.decide(question, { answer: 'approve', by: 'cli', binding: question.binding });
    put('image.bin', Buffer.from([0, 1, 3]));
    expect((await life.file('i1', 'write', { path: 'image.bin', content: 'text' })).ok).toBe(true);
    expect(asked.map(({ kind }) => kind)).toEqual(['changed_file']);
  });

  async function writtenByAnotherRun(path: string, content: string) {
    addRun(db, 'run-2');
    const parts = brokerPartsOf(db, { tools: toolbox, ...person() });
    const policy = policyWith({ approveMode: 'allow' });
    const { coordinator } = runScopeOf({ id: 'run-2', workspace, policy }, grants);
    const args = { operation: 'write', path, content };
    const intent = { type: 'tool_call_intent', tool: 'file_io', args, reason: '' } as const;
    expect(await createBroker(parts).answer(intent, coordinator)).toMatchObject({ ok: true });
  }

  const write = (life: ReturnType<typeof nextLife>) =>
    life.file('i1', 'write', { path: 'image.bin', content: 'text' });

  /** The question of this life, which nobody answers. */
  async function askedAndLeft(): Promise<Approval | undefined> {
    const asked: Approval[] = [];
    const approver: Approver = {
      ask(question, signal) {
        asked.push(question);
        return nobody.ask(question, signal);
      },
    };
    const life = nextLife({ approver });
    const asking = write(life);
    const forced = { kind: 'changed_file', isForced: true };
    await expect.poll(() => asked).toMatchObject([forced]);
    life.stop();
    expect((await asking).ok).toBe(false);
    return life.parts.approvals.pending()[0];
  }

  describe('by Capstan itself', () => {
    let question: Approval | undefined;
    beforeEach(async () => {
      await askedInAnotherLife(Buffer.from([0, 1, 2]));
      await writtenByAnotherRun('image.bin', 'own');
      question = await askedAndLeft();
    });

    it('waits for a person in every later process', async () => {
      expect((await askedAndLeft())?.id).toBe(question?.id);
      expect(read('image.bin')).toBe('own');
    });

    it.each(['approve', 'deny'] as const)('obeys the answer %s', async (answer) => {
      const life = nextLife();
      if (!question) throw new Error('there is no question');
      life.parts.desk.decide(question, { answer, by: 'cli', binding: question.binding });
      expect((await write(life)).ok).toBe(answer === 'approve');
      expect(read('image.bin')).toBe(answer === 'approve' ? 'text' : 'own');
    });
  });

  it('is continued by a later process if nothing changed', async () => {
    const first = await askedInAnotherLife(Buffer.from([0, 1, 2]));
    const { asked, approver } = person();
    const life = nextLife({ approver });
    expect((await life.file('i1', 'write', { path: 'image.bin', content: 'text' })).ok).toBe(true);
    expect(asked.map(({ id }) => id)).toEqual([first]);
  });
});
