import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Approver } from '../../test/setup/broker-parts.ts';
import {
  addRun,
  brokerPartsOf,
  type PartsChanges,
  policyWith,
  runScopeOf,
} from '../../test/setup/broker-parts.ts';
import { startCpuClock } from '../../test/setup/cpu-clock.ts';
import { temporaryDatabase } from '../../test/setup/temporary-database.ts';
import type { Approval } from '../contract/approval.ts';
import type { CapstanEvent } from '../contract/event.ts';
import type { ChatResponse } from '../contract/wire/chat.ts';
import type { ApiCallDecision, ToolCallResult } from '../contract/wire/coordinator-messages.ts';
import type { Intent } from '../contract/wire/protocol.ts';
import { failedCallsOf } from '../coordinator/final/denials.ts';
import type { Db } from '../db/open-database.ts';
import { createEventBus } from '../events/bus.ts';
import { CONTINUE } from '../hooks/hook.ts';
import { type Hooks, noHooks } from '../hooks/hooks.ts';
import type { Provider } from '../llm/provider.ts';
import { canonicalHash, sha256 } from '../platform/text/canonical-hash.ts';
import type { Rule } from '../policy/rules/rule.ts';
import { createRedactor } from '../policy/secrets/redact.ts';
import { stateAt } from '../tools/files/path-state.ts';
import { toolbox } from '../tools/toolbox.ts';
import { createBroker } from './answer.ts';
import { createChangeRecorder } from './changes/change-recorder.ts';
import { createChangeRows } from './changes/change-rows.ts';
import type { AttemptScope } from './intent/scope.ts';
import { useOnResume } from './recall/record-pool.ts';
import type { Policy } from './rules/policy-snapshot.ts';

const SECRET = 'hunter2-hunter2-hunter2';

let dir: string;
let workspace: string;
let db: Db;
beforeEach(() => {
  ({ dir, db } = temporaryDatabase());
  workspace = realpathSync(mkdtempSync(join(dir, 'workspace-')));
  for (const id of ['run-1', 'run-2']) addRun(db, id);
});

const person = (answer: 'approve' | 'deny', before: () => void = () => {}) => {
  const asked: Approval[] = [];
  const approver: Approver = {
    async ask(question) {
      asked.push(question);
      before();
      return { answer, by: 'terminal' };
    },
  };
  return { asked, approver };
};

type Changes = PartsChanges & {
  readonly approver?: Approver;
  readonly approveMode?: Policy['approveMode'];
  readonly budgets?: Partial<Policy['budget']>;
};

function setUp({ approveMode = 'ask', budgets = {}, ...changes }: Changes = {}, runId = 'run-1') {
  const heard: CapstanEvent[] = [];
  const redactor = createRedactor([SECRET]);
  const events = createEventBus(() => new Date(), { clean: redactor.redact });
  events.listen((event) => heard.push(event));
  const parts = brokerPartsOf(db, {
    tools: toolbox,
    provider: paidProvider(),
    events,
    redactor,
    limits: { maxIntents: 50 },
    surroundings: { isProtected: (path) => path.includes('.env') },
    ...changes,
  });
  const policy = policyWith({ approveMode, budget: budgets });
  const scope = runScopeOf({ id: runId, workspace, policy }, grants).coordinator;
  const broker = createBroker(parts);
  const tool = async (name: string, args: Record<string, unknown>) =>
    (await broker.answer(call(name, args), scope)) as ToolCallResult;
  const chat = async (text = 'hello') =>
    (await broker.answer(chatIntent(text), scope)) as ApiCallDecision;
  return { parts, scope, heard, tool, chat, rows: () => parts.journal.intentsOf(runId) };
}

const grants = new Map([
  ['file_io', { paths: ['**'] }],
  ['terminal', { commands: ['**'] }],
]);

const call = (tool: string, args: Record<string, unknown>): Intent => ({
  type: 'tool_call_intent',
  tool,
  args,
  reason: 'because',
});
const chatIntent = (content: string): Intent => ({
  type: 'api_call_intent',
  provider: 'free_and_harmless',
  endpoint: '',
  estimated_cost_usd: 0,
  reason: '',
  request: {
    kind: 'chat',
    hint: 'fast',
    messages: [{ role: 'user', content }],
    max_output_tokens: 1_000,
  },
});

function paidProvider(
  usage = { input_tokens: 10, cached_input_tokens: 0, output_tokens: 1_000 },
): Provider & {
  calls: number;
} {
  const provider = {
    name: 'openai',
    origin: 'https://api.openai.com',
    isModel: true,
    calls: 0,
    modelFor: () => 'gpt-4o',
    contextTokens: async () => undefined,
    listModels: async () => [],
    async chat() {
      provider.calls += 1;
      await new Promise((resolve) => setImmediate(resolve));
      const response: ChatResponse = {
        text: 'hi',
        tool_calls: [],
        finish: 'stop',
        model: 'gpt-4o',
      };
      return { response, usage };
    },
    close() {},
  };
  return provider;
}

const put = (name: string, text: string) => writeFileSync(join(workspace, name), text);
const read = (name: string) => readFileSync(join(workspace, name), 'utf8');

/** A command that waits for a file of the test. */
const UNTIL_GO = 'until [ -e go ]; do sleep 0.02; done';
const SOON = { timeout: 30_000 };
const appears = (name: string) => vi.waitUntil(() => existsSync(join(workspace, name)), SOON);

describe('a tool call', () => {
  it('is performed, journaled with its outcome, and reported', async () => {
    put('a.txt', 'hello');
    const { tool, rows, heard } = setUp();
    const reply = await tool('file_io', { operation: 'read', path: 'a.txt' });
    expect(reply).toMatchObject({ ok: true, result: { content: 'hello' } });
    expect(rows()).toMatchObject([{ name: 'file_io.read', status: 'done', outcome: { ok: true } }]);
    expect(heard.map(({ type }) => type)).toEqual(['tool.requested', 'tool.answered']);
  });

  it('is not performed if its capsule has ended before it started', async () => {
    const { parts, scope, rows } = setUp({ approveMode: 'allow' });
    const left = { ...scope, signal: AbortSignal.abort() };
    const args = { operation: 'write', path: 'new.txt', content: 'x' };
    const reply = await createBroker(parts).answer(call('file_io', args), left);
    expect(reply).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(rows()).toMatchObject([{ status: 'failed', startedAt: null }]);
    expect(existsSync(join(workspace, 'new.txt'))).toBe(false);
  });

  it('is not performed if its capsule ends while it waits for another command', async () => {
    const { parts, scope, rows } = setUp({ approveMode: 'allow', isolation: 'A' });
    const over = new AbortController();
    const run = (command: string) =>
      createBroker(parts).answer(call('terminal', { command, access: 'write' }), {
        ...scope,
        signal: over.signal,
      });
    const command = `touch first; ${UNTIL_GO}`;
    const first = run(command);
    const second = run('touch second');
    await appears('first');
    over.abort();
    put('go', '');
    expect(await first).toMatchObject({ ok: true });
    expect(await second).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    const rowOf = (target: string) => rows().find((row) => row.target === target);
    expect(rowOf(command)).toMatchObject({ status: 'done' });
    expect(rowOf('touch second')).toMatchObject({ status: 'failed', startedAt: null });
    expect(existsSync(join(workspace, 'second'))).toBe(false);
  });

  it('is not started, and its answer not consumed, if the run ends while its change is recorded', async () => {
    const over = new AbortController();
    let isEnded = false;
    const changes: PartsChanges['changes'] = {
      coversAll: async () => true,
      async begin() {
        over.abort();
        return {
          async end() {
            isEnded = true;
          },
        };
      },
    };
    const { parts, scope, rows } = setUp({ ...person('approve'), changes });
    const command = call('terminal', { command: 'touch done', access: 'write' });
    const reply = await createBroker(parts).answer(command, { ...scope, ending: over.signal });
    expect(reply).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    expect(isEnded).toBe(true);
    expect(rows()).toMatchObject([{ status: 'waiting', startedAt: null }]);
    expect(parts.approvals.of('run-1')).toMatchObject([{ status: 'answered', answer: 'approve' }]);
    expect(existsSync(join(workspace, 'done'))).toBe(false);
  });

  it('that failed because another run changed its file is not recorded as a change, and its retry is', async () => {
    put('log.txt', 'one\n');
    const others = ['two\n'];
    const changes: PartsChanges['changes'] = {
      coversAll: async () => true,
      async begin(changing) {
        const begun = await recorder.begin(changing);
        for (const other of others.splice(0)) put('log.txt', `one\n${other}`);
        return begun ?? { end: async () => {} };
      },
    };
    const { parts, tool } = setUp({ approveMode: 'allow', changes });
    const { journal, redactor } = parts;
    const isProtected = () => false;
    const kept = { stateDir: join(workspace, '.state'), maxBytes: 1024 };
    const recorder = createChangeRecorder({ db, journal, redactor, isProtected, ...kept });
    const append = { operation: 'append', path: 'log.txt', content: 'mine\n' };
    const changed = () => {
      journal.flush();
      return createChangeRows(db).of('run-1');
    };
    expect(await tool('file_io', append)).toMatchObject({ error: { code: 'FILE_CHANGED' } });
    expect(changed()).toEqual([]);
    expect((await tool('file_io', append)).ok).toBe(true);
    expect(changed()).toMatchObject([{ before: sha256('one\ntwo\n'), problem: null }]);
  });

  it('that failed leaves the change that another call of the run made in between', async () => {
    put('log.txt', 'one\n');
    const { parts } = setUp({});
    const { journal, redactor } = parts;
    const isProtected = () => false;
    const kept = { stateDir: join(workspace, '.state'), maxBytes: 1024 };
    const recorder = createChangeRecorder({ db, journal, redactor, isProtected, ...kept });
    const path = join(workspace, 'log.txt');
    const begin = (id: string, after: string) =>
      recorder.begin({
        intent: { id, runId: 'run-1', subtaskId: 's1' },
        operation: {},
        effects: [{ path, after: sha256(after) }],
        workspace,
      });
    const failing = await begin('i1', 'one\nmine\n');
    const other = await begin('i2', 'one\ntwo\n');
    put('log.txt', 'one\ntwo\n');
    await other?.end();
    await failing?.end(true);
    journal.flush();
    const change = { before: sha256('one\n'), after: sha256('one\ntwo\n'), intentId: 'i2' };
    expect(createChangeRows(db).of('run-1')).toMatchObject([{ ...change, planned: null }]);
  });

  it.each([
    ['an unknown tool', 'teleport', {}, 'TOOL_UNKNOWN'],
    ['a name that every object has', 'constructor', {}, 'TOOL_UNKNOWN'],
    ['bad arguments', 'file_io', { operation: 'read', path: 5 }, 'TOOL_ARGS_INVALID'],
    [
      'an argument that does not exist',
      'file_io',
      { operation: 'read', path: 'a', mode: 7 },
      'TOOL_ARGS_INVALID',
    ],
    ['a failing tool', 'file_io', { operation: 'read', path: 'missing.txt' }, 'FILE_MISSING'],
    [
      'a tool that is not granted',
      'sql_query',
      { database: 'a.db', sql: 'SELECT 1' },
      'INTENT_DENIED',
    ],
    ['a protected path', 'file_io', { operation: 'read', path: '.env' }, 'INTENT_DENIED'],
    [
      'a path outside the workspace',
      'file_io',
      { operation: 'read', path: '/etc/passwd' },
      'INTENT_DENIED',
    ],
    [
      'a known secret in a write',
      'file_io',
      { operation: 'write', path: 'a', content: SECRET },
      'INTENT_DENIED',
    ],
  ])('answers %s with an error that the capsule can work with', async (_what, name, args, code) => {
    const { tool, rows } = setUp();
    const reply = await tool(name, args);
    expect({ ok: reply.ok, code: reply.error?.code }).toEqual({ ok: false, code });
    expect(rows()).toHaveLength(1);
  });

  it.each([
    ['file_io', '{"path": "a', {}],
    ['file_io', '{"path": "a', { operation: 'read', path: 'a.txt' }],
    ['final', '[]', { artifacts: [], unchanged: [] }],
    ['ask_person', 'what?', { question: 'What?' }],
  ])(
    'performs no call of %s whose arguments %j are no JSON object, whatever else was sent, and records it as failed',
    async (name, invalid_args, args) => {
      put('a.txt', 'one');
      const { parts, scope, rows } = setUp();
      const intent = { ...call(name, args), invalid_args } as Intent;
      const { ok, error } = (await createBroker(parts).answer(intent, scope)) as ToolCallResult;
      expect({ ok, code: error?.code }).toEqual({ ok: false, code: 'TOOL_ARGS_INVALID' });
      expect(rows()).toMatchObject([{ status: 'failed', request: { tool: name, invalid_args } }]);
      expect(failedCallsOf(rows())).toMatchObject([{ name, error }]);
    },
  );

  it.each([
    ['teleport', {}],
    ['sql_query', { query: 'SELECT 1' }],
  ])('names the granted tools instead of %s', async (name, args) => {
    const { error } = await setUp().tool(name, args);
    expect(error).toMatchObject({ code: 'TOOL_UNKNOWN' });
    expect(error?.message).toContain([...grants.keys()].join(', '));
    expect(error?.message).not.toMatch(/database|save_as/);
  });

  it.each(['read', 'write', 'list', 'delete'])(
    'refuses a path with a NUL character: %s',
    async (operation) => {
      const { tool } = setUp();
      const args = { operation, path: 'x\0', ...(operation === 'write' && { content: '' }) };
      const { ok, error } = await tool('file_io', args);
      expect(ok).toBe(false);
      expect(error?.message).toMatch(/path.*must not contain a NUL character/s);
    },
  );

  it('truncates a result for a model, but not for a handler', async () => {
    put('long.txt', 'a line of thirty characters...\n'.repeat(3_000));
    const { parts, scope } = setUp();
    const broker = createBroker(parts);
    const ask = async (isForModel: boolean) => {
      const intent = call('file_io', { operation: 'read', path: 'long.txt' });
      const { result } = (await broker.answer(intent, { ...scope, isForModel })) as ToolCallResult;
      return result as { content: string; truncated: boolean };
    };
    expect(JSON.stringify(await ask(true)).length).toBeLessThan(18_000);
    expect(await ask(false)).toMatchObject({ truncated: false });
  });

  it('removes known secrets from what a tool returns, for the capsule and the journal alike', async () => {
    put('config.txt', `password=${SECRET}`);
    const { tool, rows } = setUp();
    const reply = await tool('file_io', { operation: 'read', path: 'config.txt' });
    expect(reply.ok).toBe(true);
    expect(JSON.stringify([reply, rows()])).not.toContain(SECRET);
  });

  it.each([
    [
      'its reason',
      { tool: 'file_io', args: { operation: 'list', path: '.' }, reason: `for ${SECRET}` },
    ],
    ['a path', { tool: 'file_io', args: { operation: 'read', path: `${SECRET}.txt` }, reason: '' }],
    ['an argument that is wrong', { tool: 'file_io', args: { operation: SECRET }, reason: '' }],
    ['the name of a tool that there is not', { tool: SECRET, args: {}, reason: '' }],
    ['its id', { id: SECRET, tool: 'terminal', args: { argv: ['true'] }, reason: '' }],
  ])('leaves no trace of a known secret in %s', async (_what, message) => {
    const { parts, scope, heard } = setUp({ approveMode: 'allow' });
    const intent = { type: 'tool_call_intent', ...message } as const;
    const reply = await createBroker(parts).answer(intent, scope);
    parts.journal.flush();
    const tables = ['intents', 'approvals', 'audit'].map((table) =>
      db.prepare(`SELECT * FROM ${table}`).all(),
    );
    expect(JSON.stringify([reply, heard, tables])).not.toContain(SECRET);
    const [row] = parts.journal.intentsOf('run-1');
    const { tool, args } = message;
    expect(row?.requestHash).toBe(canonicalHash({ tool, args }));
  });

  it('says in a question that a secret is hidden, and uses the real value when it runs', async () => {
    put('app.ini', `key=${SECRET}\nmode=a\n`);
    const { asked, approver } = person('approve');
    const { tool } = setUp({ approver });
    const edit = { operation: 'edit', path: 'app.ini', old_text: 'mode=a', new_text: 'mode=b' };
    expect(await tool('file_io', edit)).toMatchObject({ ok: true });
    expect(asked[0]?.details).toMatch(/^"\[secret removed by Capstan\]" replaces a secret/);
    expect(asked[0]?.details).toContain(' key=[secret removed by Capstan]\n-mode=a\n+mode=b');
    expect(read('app.ini')).toBe(`key=${SECRET}\nmode=b\n`);
  });

  it('writes a new file without asking, and again if it wrote it last', async () => {
    const { tool, parts } = setUp();
    await tool('file_io', { operation: 'write', path: 'new.txt', content: 'one' });
    const again = await tool('file_io', { operation: 'write', path: 'new.txt', content: 'two' });
    expect(again.ok).toBe(true);
    expect(read('new.txt')).toBe('two');
    expect(parts.approvals.of('run-1')).toEqual([]);
  });

  it('asks before it replaces a file of the user, and shows all that will be written', async () => {
    put('mine.txt', 'precious');
    const { approver, asked } = person('approve');
    const { tool, parts } = setUp({ approver });
    const reply = await tool('file_io', {
      operation: 'write',
      path: 'mine.txt',
      content: 'new text',
    });
    expect(reply.ok).toBe(true);
    expect(asked[0]?.details).toContain('new text');
    expect(asked[0]?.capsuleReason).toBe('because');
    expect(parts.approvals.of('run-1')).toMatchObject([{ status: 'consumed', answer: 'approve' }]);
  });

  it.each([
    ['is not in the file', { operation: 'edit', old_text: 'two', new_text: '2' }],
    ['is there twice', { operation: 'edit', old_text: 'o', new_text: '0' }],
    ['matches nothing', { operation: 'replace', pattern: 'x+', new_text: 'y' }],
  ])('asks nobody about a change whose old text %s', async (_what, change) => {
    put('mine.txt', 'one or none');
    const { approver, asked } = person('approve');
    const { tool } = setUp({ approver });
    const reply = await tool('file_io', { path: 'mine.txt', ...change });
    expect(reply).toMatchObject({ ok: false, error: { code: 'TOOL_FAILED' } });
    expect(asked).toEqual([]);
    expect(read('mine.txt')).toBe('one or none');
  });

  it.each(['before it is asked', 'while the question is open'])(
    'asks nobody about a change whose old text the person removed %s',
    async (when) => {
      put('mine.txt', 'one two');
      const remove = () => put('mine.txt', 'one');
      const { approver, asked } = person('approve', remove);
      const { tool } = setUp({ approver });
      await tool('file_io', { operation: 'read', path: 'mine.txt' });
      const isBefore = when === 'before it is asked';
      if (isBefore) remove();
      const edit = { operation: 'edit', path: 'mine.txt', old_text: 'two', new_text: '2' };
      const reply = await tool('file_io', edit);
      expect(reply).toMatchObject({ ok: false });
      expect(JSON.stringify(reply)).toContain('does not contain old_text');
      expect(asked).toHaveLength(isBefore ? 0 : 1);
    },
  );

  it.each(['two', 'one'])(
    'asks about a change that can not be applied of a file that may only be read after a question: %s',
    async (old_text) => {
      put('mine.txt', 'one or none');
      const { approver, asked } = person('deny');
      const { parts, scope } = setUp({ approver });
      const rule: Rule = {
        id: 'private',
        answer: 'ask',
        matches: ({ tool }) => tool === 'file_io',
      };
      const run = { ...scope.run, policy: { ...scope.run.policy, rules: [rule] } };
      const edit = { operation: 'edit', path: 'mine.txt', old_text, new_text: '2' };
      const reply = await createBroker(parts).answer(call('file_io', edit), { ...scope, run });
      expect(reply).toMatchObject({ ok: false, error: { code: 'INTENT_DENIED' } });
      expect(JSON.stringify(reply)).not.toContain('contain');
      expect(asked).toHaveLength(1);
    },
  );

  it('asks about a change that can not be applied if a hook could object to reading the file', async () => {
    put('mine.txt', 'one or none');
    const { approver, asked } = person('deny');
    const hooks = { ...noHooks, has: (point: string) => point === 'pre_tool_call' };
    const { tool } = setUp({ approver, hooks });
    const edit = { operation: 'edit', path: 'mine.txt', old_text: 'two', new_text: '2' };
    expect(await tool('file_io', edit)).toMatchObject({ error: { code: 'INTENT_DENIED' } });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['rm -rf .git', true],
    ['rm -rf repo', true],
    ['python3 -c "import shutil; shutil.rmtree(\'.git\')"', true],
    ['rm -rf .git/objects .git/refs', true],
    ['rm -rf src', false],
    ['grep -r x --exclude-dir=.git .', false],
    ['rsync -a --exclude .git src to', false],
    ['git --git-dir=.git log', false],
  ])(
    'warns about a command that may remove or replace the folder of Git: %s',
    async (command, isWarned) => {
      for (const path of ['.git', 'src', 'repo/.git'])
        mkdirSync(join(workspace, path), { recursive: true });
      const { asked, approver } = person('deny');
      await setUp({ approver }).tool('terminal', { command, access: 'write' });
      expect(asked[0]?.why.includes('history of a Git repository')).toBe(isWarned);
    },
  );

  it('says before a command if not every change that it makes could be undone', async () => {
    put('a.txt', 'one');
    const { asked, approver } = person('deny');
    for (const isCovered of [true, false]) {
      const changes = { coversAll: async () => isCovered, begin: () => undefined };
      const { tool } = setUp({ approver, changes });
      await tool('terminal', { command: `echo ${isCovered}`, access: 'write' });
    }
    const said = asked.map(({ why }) => why.includes('not every change could be undone'));
    expect(said).toEqual([false, true]);
    const changes = { coversAll: vi.fn(async () => false), begin: () => undefined };
    const { tool } = setUp({ approveMode: 'deny', changes });
    await tool('terminal', { command: 'echo automatic', access: 'write' });
    expect(changes.coversAll).not.toHaveBeenCalled();
  });

  it('changes a file of the user again in the same run, and asks again in the next one', async () => {
    put('mine.txt', 'one two');
    const { approver, asked } = person('approve');
    const edit = (old_text: string, new_text: string) =>
      ({ operation: 'edit', path: 'mine.txt', old_text, new_text }) as const;
    const first = setUp({ approver });
    expect(await first.tool('file_io', edit('one', '1'))).toMatchObject({ ok: true });
    expect(await first.tool('file_io', edit('two', '2'))).toMatchObject({ ok: true });
    expect(asked).toHaveLength(1);
    first.parts.journal.flush();
    const next = setUp({ approver }, 'run-2');
    expect(await next.tool('file_io', edit('1', 'one'))).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
  });

  it('asks about a file of the user after a call that wrote what it contained', async () => {
    put('mine.txt', 'precious');
    const { approver, asked } = person('deny');
    const { tool } = setUp({ approver });
    const write = (content: string) =>
      tool('file_io', { operation: 'write', path: 'mine.txt', content });
    expect(await write('precious')).toMatchObject({ ok: true });
    expect(await write('gone')).toMatchObject({ ok: false });
    expect(asked).toHaveLength(1);
  });

  it('changes a file of the user again in the same run after it was moved', async () => {
    put('mine.txt', 'one');
    const { approver, asked } = person('approve');
    const { tool } = setUp({ approver });
    await tool('file_io', { operation: 'write', path: 'mine.txt', content: 'two' });
    await tool('file_io', { operation: 'move', path: 'mine.txt', to: 'other.txt' });
    expect(asked).toHaveLength(2);
    await tool('file_io', { operation: 'write', path: 'other.txt', content: 'three' });
    expect(asked).toHaveLength(2);
  });

  it('changes a file that Capstan created without a question, in any run', async () => {
    const { approver, asked } = person('approve');
    for (const run of ['run-1', 'run-2']) {
      const { tool, parts } = setUp({ approver }, run);
      await tool('file_io', { operation: 'write', path: 'new.txt', content: run });
      parts.journal.flush();
    }
    expect(asked).toEqual([]);
    expect(read('new.txt')).toBe('run-2');
  });

  it.each([
    ['a person says no', { ...person('deny') }],
    ['the approve mode is deny', { approveMode: 'deny' as const }],
  ])('leaves the file alone and counts the denial if %s', async (_what, changes) => {
    put('mine.txt', 'precious');
    const { tool, rows, scope } = setUp(changes);
    const reply = await tool('file_io', { operation: 'write', path: 'mine.txt', content: 'x' });
    expect(reply.error?.code).toBe('INTENT_DENIED');
    expect(read('mine.txt')).toBe('precious');
    expect(rows()).toMatchObject([{ status: 'denied', denial: 'denied', tier: 1 }]);
    expect(scope.tally).toMatchObject({ denial: 'denied', effects: 0 });
  });

  it.each([
    ['delete', { path: 'mine.txt' }, 'removes "mine.txt"'],
    ['move', { path: 'mine.txt', to: 'other.txt' }, 'removes "mine.txt"\nwrites "other.txt"'],
    ['rename', { path: 'mine.txt', to: 'other.txt' }, 'removes "mine.txt"\nwrites "other.txt"'],
  ])('asks before a %s, and says what happens to each file', async (operation, args, shown) => {
    put('mine.txt', 'precious\n');
    const { approver, asked } = person('deny');
    const { tool } = setUp({ approver });
    const reply = await tool('file_io', { operation, ...args });
    expect(reply.error?.code).toBe('INTENT_DENIED');
    expect(asked[0]?.details).toContain(shown);
    const content = operation === 'delete' ? '-precious' : 'the content stays the same';
    expect(asked[0]?.details).toContain(content);
    expect(read('mine.txt')).toBe('precious\n');
  });

  it('asks before it deletes a file that Capstan wrote, and records that it is gone', async () => {
    const { approver, asked } = person('approve');
    const { tool, parts, heard } = setUp({ approver });
    await tool('file_io', { operation: 'write', path: 'new.txt', content: 'one' });
    expect(await tool('file_io', { operation: 'delete', path: 'new.txt' })).toMatchObject({
      result: { path: 'new.txt', deleted: true },
    });
    expect(asked).toHaveLength(1);
    expect(heard).toContainEqual(
      expect.objectContaining({ type: 'file.removed', path: join(workspace, 'new.txt') }),
    );
    parts.journal.flush();
    expect(parts.files.writtenBy('run-1')).toEqual([]);
    await tool('file_io', { operation: 'write', path: 'new.txt', content: 'two' });
    expect(asked).toHaveLength(1);
    expect(read('new.txt')).toBe('two');
  });

  describe('a file of 5 GiB', () => {
    const GIB_5 = 5 * 1024 ** 3;
    const path = () => join(workspace, 'big.bin');
    beforeEach(() => {
      put('big.bin', '');
      truncateSync(path(), GIB_5);
    });

    it.each([
      { operation: 'delete', path: 'big.bin' },
      { operation: 'write', path: 'big.bin', content: 'small' },
      { operation: 'move', path: 'big.bin', to: 'moved.bin' },
    ])('is asked about before its content is read: $operation', async (args) => {
      const { approver, asked } = person('deny');
      const { tool } = setUp({ approver });
      const cpuMs = startCpuClock();
      expect(await tool('file_io', args)).toMatchObject({ ok: false });
      expect(cpuMs()).toBeLessThan(5_000);
      expect(asked[0]?.details).toContain(`has ${GIB_5} bytes: its size and time are compared`);
      expect(statSync(path()).size).toBe(GIB_5);
    });

    it('is moved after an approval, and deleted after a second question', async () => {
      const { approver, asked } = person('approve');
      const { tool, parts, heard } = setUp({ approver });
      await tool('file_io', { operation: 'move', path: 'big.bin', to: 'moved.bin' });
      parts.journal.flush();
      const moved = join(workspace, 'moved.bin');
      const shown = { path: moved, bytes: GIB_5, sha256: null };
      expect(heard).toContainEqual(expect.objectContaining({ type: 'file.written', ...shown }));
      expect(parts.files.writtenBy('run-1')).toMatchObject([shown]);
      expect(parts.files.knownTo('run-1', moved)).toBe(await stateAt(moved));
      const deleted = await tool('file_io', { operation: 'delete', path: 'moved.bin' });
      expect(deleted).toMatchObject({ ok: true });
      expect(asked.map(({ kind }) => kind)).toEqual(['tool', 'tool']);
      expect(existsSync(moved)).toBe(false);
    });

    it.each([
      ['changes', (time: number) => utimesSync(path(), 1, time)],
      [
        'changes and gets its old time back',
        () => {
          const { atimeMs, mtimeMs } = statSync(path());
          writeFileSync(path(), 'other', { flag: 'r+' });
          utimesSync(path(), atimeMs / 1_000, mtimeMs / 1_000);
        },
      ],
    ])('is left alone if it %s while the question is open', async (_what, change) => {
      utimesSync(path(), 1, 1);
      const questions = person('approve', () => change(questions.asked.length + 1));
      const { tool } = setUp({ approver: questions.approver });
      expect(await tool('file_io', { operation: 'delete', path: 'big.bin' })).toMatchObject({
        ok: false,
      });
      expect(questions.asked.length).toBeGreaterThan(1);
      expect(existsSync(path())).toBe(true);
    });
  });

  it('still asks before it changes a file of the user that it moved', async () => {
    put('mine.txt', 'precious\n');
    const { approver, asked } = person('approve');
    const { tool } = setUp({ approver });
    await tool('file_io', { operation: 'move', path: 'mine.txt', to: 'kept.txt' });
    await tool('file_io', { operation: 'write', path: 'kept.txt', content: 'x' });
    expect(asked.map(({ operation }) => operation)).toEqual(['file_io.move', 'file_io.write']);
  });

  it('copies to a new file without asking, and asks before a copy replaces a file', async () => {
    put('mine.txt', 'precious\n');
    put('other.txt', 'old\n');
    const { approver, asked } = person('approve');
    const { tool } = setUp({ approver });
    await tool('file_io', { operation: 'copy', path: 'mine.txt', to: 'new.txt' });
    expect(asked).toEqual([]);
    await tool('file_io', { operation: 'copy', path: 'mine.txt', to: 'other.txt', replace: true });
    expect(asked[0]?.details).toContain('-old\n+precious');
  });

  it.each([
    ['a text', 1],
    ['a file that is too large to be shown', 600_000],
  ])(
    'asks again if the source of a copy changes while the question is open: %s',
    async (_what, times) => {
      put('draft', 'good'.repeat(times));
      put('other.txt', 'old');
      const { approver, asked } = person('approve', () => {
        if (asked.length === 1) put('draft', 'evil'.repeat(times));
        else expect(read('other.txt')).toBe('old');
      });
      const { tool } = setUp({ approver });
      const copy = { operation: 'copy', path: 'draft', to: 'other.txt', replace: true };
      expect(await tool('file_io', copy)).toMatchObject({ ok: true });
      expect(asked.map(({ kind }) => kind)).toEqual(['tool', 'changed_file']);
      expect(read('other.txt')).toBe('evil'.repeat(times));
    },
  );

  it('copies Git configuration without its credentials, and shows none of them', async () => {
    put('.gitmodules', '[x]\n\turl = https://ada:key@example.com\n\tpath = y\n');
    const { tool, heard } = setUp({
      surroundings: { isProtected: () => false, isGitConfig: (path) => path.endsWith('modules') },
    });
    await tool('file_io', { operation: 'copy', path: '.gitmodules', to: 'copy.txt' });
    expect(read('copy.txt')).toBe('[x]\n\tpath = y\n');
    expect(JSON.stringify(heard)).not.toContain('ada:key');
  });

  it.each([
    ['rows.csv', 'is another one', () => put('rows.csv', 'name\nevil\n'), 'rows.csv'],
    ['*.csv', 'is another one', () => put('rows.csv', 'name\nevil\n'), 'rows.csv'],
    ['*.csv', 'is new', () => put('zero.csv', 'name\n'), 'zero.csv'],
    ['*.csv', 'is gone', () => rmSync(join(workspace, 'none.csv')), 'none.csv'],
  ])(
    'asks again if a file of "%s" that a change of a database reads %s after the question',
    async (rows, _what, change, changed) => {
      put('rows.csv', 'name\ngood\n');
      put('none.csv', 'name\n');
      put('names.db', '');
      const { approver, asked } = person('approve', () => {
        if (asked.length === 1) change();
      });
      const { parts, scope } = setUp({ approver });
      const args = {
        ...{ database: 'names.db', files: { rows }, access: 'write' },
        sql: 'CREATE TABLE names AS SELECT name FROM rows',
      };
      const granted = { ...scope, grants: new Map([['sql_query', { paths: ['**'] }]]) };
      const reply = await createBroker(parts).answer(call('sql_query', args), granted);
      expect(reply).toMatchObject({ ok: true });
      expect(asked.map(({ kind }) => kind)).toEqual(['tool', 'changed_file']);
      expect(asked[1]?.why).toContain(changed);
    },
  );

  it('says of a move what happens at both places', async () => {
    put('mine.txt', 'x');
    const { approver, asked } = person('deny');
    const { tool } = setUp({ approver });
    await tool('file_io', { operation: 'move', path: 'mine.txt', to: 'agents/x' });
    expect(asked.map(({ why }) => why)).toEqual([
      'It removes mine.txt. It writes agents/x, which is run or obeyed by Capstan itself.',
    ]);
  });

  it('asks before it copies a program to a new file', async () => {
    put('tool', '#!/bin/sh\n');
    chmodSync(join(workspace, 'tool'), 0o755);
    const { approver, asked } = person('deny');
    const { tool } = setUp({ approver });
    await tool('file_io', { operation: 'copy', path: 'tool', to: 'git' });
    expect(asked.map(({ why }) => why)).toEqual(['It writes git, which can be executed.']);
  });

  it('copies a text without a question, although its mode allows executing', async () => {
    put('notes.txt', 'plain\n');
    chmodSync(join(workspace, 'notes.txt'), 0o755);
    const { approver, asked } = person('deny');
    const { tool } = setUp({ approver });
    await tool('file_io', { operation: 'copy', path: 'notes.txt', to: 'copy.txt' });
    expect(asked).toEqual([]);
  });

  it('replaces by a regular expression after the diff was shown', async () => {
    put('mine.txt', 'a1 a2\n');
    const { approver, asked } = person('approve');
    const { tool } = setUp({ approver });
    const args = { operation: 'replace', path: 'mine.txt', pattern: 'a(\\d)', new_text: 'b$1' };
    expect(await tool('file_io', args)).toMatchObject({ result: { replacements: 2 } });
    expect(asked[0]?.details).toContain('-a1 a2\n+b1 b2');
  });

  it('decides again after the question: a file that changed while it was open is not replaced', async () => {
    put('mine.txt', 'precious');
    const kinds: string[] = [];
    const approver: Approver = {
      async ask({ kind }) {
        kinds.push(kind);
        put('mine.txt', 'edited meanwhile');
        return { answer: kind === 'tool' ? 'approve' : 'deny', by: 'terminal' };
      },
    };
    const { tool } = setUp({ approver });
    await tool('file_io', { operation: 'read', path: 'mine.txt' });
    const reply = await tool('file_io', { operation: 'write', path: 'mine.txt', content: 'x' });
    expect(reply.ok).toBe(false);
    expect(read('mine.txt')).toBe('edited meanwhile');
    expect(kinds).toEqual(['tool', 'changed_file']);
  });

  it.each([
    ['allow', 'deny', 'theirs'],
    ['deny', 'approve', 'ours'],
  ] as const)(
    'asks about a file that another run wrote after this one read it, also in approve mode %s',
    async (approveMode, answer, content) => {
      put('shared.txt', 'v1');
      const ours = setUp({ approveMode, ...person(answer) });
      const theirs = setUp({ approveMode: 'allow' }, 'run-2');
      const write = { operation: 'write', path: 'shared.txt' };
      await ours.tool('file_io', { operation: 'read', path: 'shared.txt' });
      await theirs.tool('file_io', { ...write, content: 'theirs' });
      const reply = await ours.tool('file_io', { ...write, content: 'ours' });
      expect(reply.ok).toBe(answer === 'approve');
      if (!reply.ok) expect(reply.error?.message).toContain('changed after this run had read it');
      expect(read('shared.txt')).toBe(content);
    },
  );

  it.each([
    ['asks a person', 1, { ok: true }, 1],
    [
      'fails, and is denied by nobody,',
      Number.POSITIVE_INFINITY,
      { error: { code: 'FILE_CHANGED' } },
      4,
    ],
  ])(
    '%s if a file changes %s times after the approve mode allowed its change',
    async (_, times, reply, questions) => {
      put('mine.txt', 'precious');
      let changes = 0;
      const edit = () => {
        if (changes++ < times) put('mine.txt', `edited ${changes}`);
      };
      const hooks: Hooks = {
        has: (point) => point === 'post_approval',
        run: async () => {
          edit();
          return CONTINUE;
        },
      };
      const { approver, asked } = person('approve');
      const { tool, rows } = setUp({ approveMode: 'allow', approver, hooks });
      await tool('file_io', { operation: 'read', path: 'mine.txt' });
      const write = { operation: 'write', path: 'mine.txt', content: 'x' };
      expect(await tool('file_io', write)).toMatchObject(reply);
      expect(asked).toHaveLength(questions);
      expect(rows().map(({ denial }) => denial)).toEqual([null, null]);
    },
  );

  it('does not know the outcome of an interrupted call, and says so', async () => {
    const { parts, scope, rows } = setUp({ approveMode: 'allow' });
    const over = new AbortController();
    const sleep = call('terminal', { command: 'touch begun; sleep 60', access: 'write' });
    const answer = createBroker(parts).answer(sleep, { ...scope, ending: over.signal });
    await appears('begun');
    over.abort();
    await answer;
    expect(rows()).toMatchObject([{ status: 'unknown', outcome: undefined }]);
  });

  it.each([
    ['interrupted', 'the run was stopped'],
    ['deadline', 'the time limit of the run was over'],
  ])(
    'records a command that was stopped (%s) as interrupted, with its output, and does not ask or run it again',
    async (reason, cause) => {
      const { parts, scope, rows } = setUp({ approveMode: 'allow' });
      const over = new AbortController();
      const run = { ...scope.run, signal: over.signal };
      const stopped = { ...scope, run, isForModel: true, ending: over.signal };
      const sleep = call('terminal', {
        command: 'echo tick; touch begun; sleep 60',
        access: 'write',
      });
      const answer = createBroker(parts).answer(sleep, stopped);
      await appears('begun');
      over.abort(reason);
      const message = expect.stringMatching(new RegExp(`${cause} .+\\ntick\\n$`, 's'));
      const error = { code: 'TOOL_INTERRUPTED', message };
      expect(await answer).toMatchObject({ ok: false, error });
      expect(rows()).toMatchObject([{ status: 'failed', outcome: { error } }]);
      expect(rows().map(useOnResume)).toEqual(['answer']);
    },
  );

  it('lets a started call finish if nobody waits for its result any more', async () => {
    const { parts, scope, rows } = setUp({ approveMode: 'allow' });
    const over = new AbortController();
    const command = `touch begun; ${UNTIL_GO}; echo done > late.txt`;
    const answer = createBroker(parts).answer(call('terminal', { command, access: 'write' }), {
      ...scope,
      signal: over.signal,
    });
    await appears('begun');
    over.abort();
    put('go', '');
    await answer;
    expect(rows()).toMatchObject([{ status: 'done' }]);
    expect(read('late.txt')).toBe('done\n');
  });

  it('asks nobody about an edit of a file that is too large to be rewritten', async () => {
    put('huge.txt', 'a\n');
    truncateSync(join(workspace, 'huge.txt'), 5 * 1024 ** 3);
    const { approver, asked } = person('approve');
    const { tool } = setUp({ approver });
    const edit = { operation: 'edit', path: 'huge.txt', old_text: 'a', new_text: 'b' };
    const message = '"huge.txt" is too large to be rewritten';
    expect(await tool('file_io', edit)).toMatchObject({
      ok: false,
      error: { code: 'TOOL_FAILED', message: expect.stringContaining(message) },
    });
    expect(asked).toEqual([]);
  });

  it('asks again with the new diff if a file changed while the question was open', async () => {
    put('notes.txt', 'A\n');
    const shown: string[] = [];
    const approver: Approver = {
      async ask({ details }) {
        shown.push(details);
        if (shown.length === 1) put('notes.txt', 'B\n');
        return { answer: shown.length === 1 ? 'approve' : 'deny', by: 'terminal' };
      },
    };
    const { tool } = setUp({ approver });
    const reply = await tool('file_io', { operation: 'write', path: 'notes.txt', content: 'C\n' });
    expect(reply.ok).toBe(false);
    expect(shown.map((details) => /^-(\w)$/m.exec(details)?.[1])).toEqual(['A', 'B']);
    expect(read('notes.txt')).toBe('B\n');
  });

  describe('an approval of a command', () => {
    const runs = { argv: ['sh', 'run.sh'], access: 'write' };
    it.each<[string, Record<string, unknown>]>([
      ['an argv', runs],
      ['a shell text', { command: 'true && sh run.sh > out.txt', access: 'write' }],
      ['a nested shell', { argv: ['sh', '-c', 'cat x; sh "run.sh"'], access: 'write' }],
      ['an absolute path', { argv: ['sh', '$WORKSPACE/run.sh'], access: 'write' }],
      ['a value of an option', { argv: ['sh', '--x=run.sh', 'run.sh'], access: 'write' }],
      ['a pattern', { command: 'for f in *.sh; do sh $f; done', access: 'write' }],
      [
        'a pattern with a group',
        { argv: ['bash', '-O', 'extglob', '-c', 'sh @(r*|x).sh'], access: 'write' },
      ],
      ['another folder', { command: 'cd sub && sh ../run.sh', access: 'write' }],
      ['a program in a folder', { argv: ['./sub/tool.sh'], access: 'write' }],
      ['a link', { argv: ['sh', 'link.sh'], access: 'write' }],
    ])(
      'covers the content of the files that %s names: if one changes, it is asked again, once',
      async (_what, args) => {
        mkdirSync(join(workspace, 'sub'));
        const tools = () => {
          put('run.sh', 'echo agreed > done.txt\n');
          put('sub/tool.sh', '#!/bin/sh\necho agreed > done.txt\n');
          chmodSync(join(workspace, 'sub/tool.sh'), 0o755);
        };
        tools();
        symlinkSync('run.sh', join(workspace, 'link.sh'));
        const asked: Approval[] = [];
        const approver: Approver = {
          async ask(question) {
            asked.push(question);
            if (asked.length === 1) {
              put('run.sh', 'echo swapped > done.txt\n');
              put('sub/tool.sh', '#!/bin/sh\necho swapped > done.txt\n');
            } else tools();
            return { answer: asked.length < 3 ? 'approve' : 'deny', by: 'terminal' };
          },
        };
        const { tool } = setUp({ approver });
        const given = JSON.parse(JSON.stringify(args).replace('$WORKSPACE', workspace));
        const reply = await tool('terminal', given);
        expect(asked.map(({ kind }) => kind)).toEqual(['tool', 'changed_file', 'changed_file']);
        expect(asked[1]?.why).toMatch(
          /^"(run|sub\/tool)\.sh" changed after this was asked before\.( It runs (run|sub\/tool)\.sh: .*)?$/,
        );
        expect(asked[1]).toMatchObject({ isForced: true });
        expect(reply.ok).toBe(false);
        expect(existsSync(join(workspace, 'done.txt'))).toBe(false);
      },
    );

    it('is not asked again if nothing that the command names changed', async () => {
      put('run.sh', 'echo agreed > done.txt\n');
      const { approver, asked } = person('approve', () => put('other.sh', 'echo other\n'));
      const { tool, rows } = setUp({ approver });
      expect((await tool('terminal', runs)).ok).toBe(true);
      expect(asked).toHaveLength(1);
      expect(read('done.txt')).toBe('agreed\n');
      expect(rows()).toMatchObject([
        { effects: [{ path: join(workspace, 'run.sh'), isNamed: true }] },
      ]);
    });

    it('is asked again if a file that it names appears while the question is open', async () => {
      const { approver, asked } = person('approve', () => put('run.sh', 'echo new > done.txt\n'));
      const { tool } = setUp({ approver });
      await tool('terminal', runs);
      expect(asked.map(({ kind }) => kind)).toEqual(['tool', 'changed_file']);
    });

    it('does not cover a file that another command changes while it waits for its turn', async () => {
      put('run.sh', 'echo agreed > done.txt\n');
      const { approver, asked } = person('approve');
      const { tool, rows } = setUp({ approver, isolation: 'A' });
      const command = `${UNTIL_GO}; echo "echo swapped > done.txt" > run.sh`;
      const first = tool('terminal', { command, access: 'write' });
      await vi.waitUntil(() => rows().some(({ status }) => status === 'started'), SOON);
      const second = tool('terminal', runs);
      await vi.waitUntil(() => asked.length === 2, SOON);
      put('go', '');
      expect(await first).toMatchObject({ ok: true });
      expect(await second).toMatchObject({ ok: false, error: { code: 'FILE_CHANGED' } });
      expect(asked).toHaveLength(2);
      expect(rows().find(({ target }) => target === 'sh run.sh')).toMatchObject({
        ...{ status: 'failed', denial: null, rule: 'file_changed', startedAt: null },
      });
      expect(existsSync(join(workspace, 'done.txt'))).toBe(false);
      expect((await tool('terminal', runs)).ok).toBe(true);
    });

    /** A capsule of its own. */
    const byPerson = (changes: Changes = {}) =>
      setUp({ approver: person('approve').approver, ...changes });

    it('excludes that a capsule writes a file while the approved command runs', async () => {
      const { tool } = byPerson({ isolation: 'A' });
      const write = { operation: 'write', path: 'task.sh' };
      await tool('file_io', { ...write, content: 'echo agreed > done.txt\n' });
      const command = `touch started; ${UNTIL_GO}; sh task.sh`;
      const approved = tool('terminal', { command, access: 'write' });
      await appears('started');
      const content = 'echo swapped > done.txt\n';
      const written = byPerson().tool('file_io', { ...write, content });
      const isWritten = Promise.race([written.then(() => true), sleep(200, false)]);
      expect(await isWritten).toBe(false);
      put('go', '');
      expect(await approved).toMatchObject({ ok: true });
      expect(await written).toMatchObject({ ok: true });
      expect(read('done.txt')).toBe('agreed\n');
    });

    const write = { operation: 'write', path: 'new.txt', content: 'new' };
    it.each([
      ['another approved command', 'sh one.sh', 'terminal', { argv: ['sh', 'two.sh'] }],
      ['a write, if it names no file', `touch started; ${UNTIL_GO}`, 'file_io', write],
    ])('does not exclude %s', async (_what, command, name, args) => {
      put('one.sh', `touch started; ${UNTIL_GO}\n`);
      put('two.sh', 'touch done.txt\n');
      const first = byPerson().tool('terminal', { command, access: 'write' });
      await appears('started');
      expect(await byPerson().tool(name, args)).toMatchObject({ ok: true });
      put('go', '');
      expect(await first).toMatchObject({ ok: true });
    });

    it('can start after a write whose capsule stopped reading', async () => {
      put('run.sh', 'echo agreed > done.txt\n');
      const { parts, scope, tool } = byPerson();
      const waitForReader = () => Promise.reject(new Error('gone'));
      const changed = { ...scope, waitForReader };
      const written = createBroker(parts).answer(call('file_io', write), changed);
      await expect(written).rejects.toThrow('gone');
      expect(await tool('terminal', runs)).toMatchObject({ ok: true });
    });

    it('binds the answer of a person; an approve mode answers for any content of the files', async () => {
      put('run.sh', 'echo one > done.txt\n');
      const { tool } = setUp({ approveMode: 'allow' });
      await tool('terminal', runs);
      put('run.sh', 'echo two > done.txt\n');
      expect((await tool('terminal', runs)).ok).toBe(true);
      expect(read('done.txt')).toBe('two\n');
    });
  });

  it('denies an approved request if a rule denies it by then', async () => {
    put('keep.txt', 'mine');
    const no: Rule = { id: 'no', answer: 'deny', matches: () => true };
    let rules: Policy['rules'] | undefined;
    const { approver } = person('approve', () => {
      rules = [no];
    });
    const { parts, scope } = setUp({ approver });
    const currentRules = {
      get rules() {
        return rules;
      },
      refresh: () => undefined,
    };
    const run = { ...scope.run, currentRules };
    const rm = call('terminal', { argv: ['rm', 'keep.txt'], access: 'write' });
    const reply = await createBroker(parts).answer(rm, { ...scope, run });
    expect(reply).toMatchObject({ ok: false, error: { code: 'INTENT_DENIED' } });
    expect(read('keep.txt')).toBe('mine');
  });

  it('ends the attempt that makes too many requests', async () => {
    const ended: string[] = [];
    const { parts, scope } = setUp({ limits: { maxIntents: 2 } });
    const attempt = {
      ...scope,
      attemptId: null,
      end: (error: { code: string }) => ended.push(error.code),
    };
    const broker = createBroker(parts);
    const inAttempt = { ...attempt, attemptId: 'a1' } as AttemptScope;
    inAttempt.tally.intents = 2;
    const reply = await broker.answer(call('file_io', { operation: 'list', path: '.' }), inAttempt);
    expect(ended).toEqual(['TOO_MANY_INTENTS']);
    expect(reply).toMatchObject({ ok: false, error: { code: 'TOO_MANY_INTENTS' } });
  });
});

describe('a model call', () => {
  it('asks about spending once per run, for any cost that the capsule claims', async () => {
    const { approver, asked } = person('approve');
    const { chat, rows } = setUp({ approver });
    const replies = await Promise.all([chat(), chat(), chat()]);
    expect(replies.every(({ approved }) => approved)).toBe(true);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.details).toContain('will be sent there');
    expect(rows().every(({ costMicroUsd }) => costMicroUsd > 0)).toBe(true);
  });

  it('makes no call if nobody agreed to spend', async () => {
    const provider = paidProvider();
    const { chat, rows } = setUp({ provider, ...person('deny') });
    expect(await chat()).toMatchObject({ approved: false, error: { code: 'denied' } });
    expect(provider.calls).toBe(0);
    expect(rows()).toMatchObject([{ status: 'denied', tier: 3 }]);
  });

  it('never exceeds the limit by a cent, with fifty concurrent calls', async () => {
    const provider = paidProvider();
    const cap = 105_000;
    const budgets = { runMicroUsd: cap, runMicroUsdSetByPerson: true };
    const { chat: race, rows } = setUp({ provider, budgets });
    const replies = await Promise.all(Array.from({ length: 50 }, () => race()));
    const spent = rows().reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0);
    expect(spent).toBeLessThanOrEqual(cap);
    expect(provider.calls).toBeGreaterThan(0);
    expect(replies.filter(({ error }) => error?.code === 'budget').length).toBe(
      50 - provider.calls,
    );
  });

  it('keeps a known secret from being sent', async () => {
    const provider = paidProvider();
    const { chat } = setUp({ provider, approveMode: 'allow' });
    expect(await chat(`my password is ${SECRET}`)).toMatchObject({ approved: false });
    expect(provider.calls).toBe(0);
  });
});
