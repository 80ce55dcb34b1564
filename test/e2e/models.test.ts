import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import {
  type Script,
  type ScriptedAnswer,
  type ScriptedRequest,
  type Vendor,
  vendors,
} from '../model-server/script.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

const KEY = 'key-0123456789abcdef0123456789abcdef';

let sandbox: Sandbox;
let server: ModelServer | undefined;
beforeEach(() => {
  sandbox = createSandbox();
  writeFileSync(join(sandbox.workspace, 'poem.txt'), 'Roses are red\nViolets are blue\n');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  sandbox.remove();
});

const keyName = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  gemini: 'GEMINI_API_KEY',
};

async function run(
  vendor: Vendor,
  script: Script,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
) {
  server = await startModelServer({ vendor, script });
  return sandbox.runJson(
    ['run', '--provider', vendor, '--model', server.model, ...args, 'Rewrite poem.txt in capitals'],
    {
      CAPSTAN_BASE_URL: server.baseUrl,
      ...environment,
      ...(vendor === 'ollama' ? {} : { [keyName[vendor]]: KEY }),
    },
  );
}

const plan = {
  discovery: [],
  execution: [
    { id: 'read', description: 'Read poem.txt', depends_on: [] },
    { id: 'write', description: 'Write the poem in capitals to loud.txt', depends_on: ['read'] },
  ],
};

/** A model that reads the poem, writes it in capitals, and remembers one thing. */
const poet: Script = (request) => {
  if (request.responseName === 'plan') return { json: plan };
  if (request.responseName === 'judge') return { json: { choice: 'file-clerk', why: 'files' } };
  if (request.responseName === 'answer') return { json: { answer: 'The poem is loud now.' } };
  return stepOf(request);
};

function stepOf({ messages }: ScriptedRequest) {
  const isWriting = messages[0]?.content.includes('Write the poem in capitals') === true;
  const hasResult = messages.some(({ role }) => role === 'tool');
  if (!isWriting && !hasResult) {
    return { tool_calls: [{ name: 'file_io', args: { operation: 'read', path: 'poem.txt' } }] };
  }
  if (isWriting && !hasResult) {
    const content = 'ROSES ARE RED\nVIOLETS ARE BLUE\n';
    return {
      tool_calls: [{ name: 'file_io', args: { operation: 'write', path: 'loud.txt', content } }],
    };
  }
  const result = isWriting ? 'Wrote loud.txt.' : 'Roses are red / Violets are blue';
  return {
    tool_calls: [
      { name: 'final', args: { status: 'ok', result, remember: ['The poem has two lines.'] } },
    ],
  };
}

describe.each(vendors)('a run on the wire format of %s', (vendor) => {
  it('plans, reads, writes and answers', async () => {
    const { exitCode, document } = await run(vendor, poet);
    expect({ exitCode, status: document.status, answer: document.answer }).toEqual({
      exitCode: 0,
      status: 'completed',
      answer: 'The poem is loud now.',
    });
    expect(readFileSync(join(sandbox.workspace, 'loud.txt'), 'utf8')).toBe(
      'ROSES ARE RED\nVIOLETS ARE BLUE\n',
    );
    expect(document.usage.output_tokens).toBeGreaterThan(0);
    expect(document.cost_usd).toBe(0);
  });

  it('sends the composed system prompt, the sections of skills and then overlay, with every call of a capsule', async () => {
    await run(vendor, poet);
    const steps = server?.chats.filter(({ responseName }) => responseName === undefined) ?? [];
    const skill = readFileSync(
      join(import.meta.dirname, '../../agents/skills/file_system.md'),
      'utf8',
    );
    const overlay = readFileSync(
      join(import.meta.dirname, '../../agents/file-clerk/skill.md'),
      'utf8',
    );
    const line = (text: string) =>
      text.split('\n').findLast((one) => one.length > 40 && !one.includes('{{')) ?? 'none';
    const section = `- ${/^## (.+)$/m.exec(skill)?.[1]}: `;
    expect(steps.length).toBeGreaterThanOrEqual(4);
    for (const { system } of steps) {
      expect(system).toContain(section);
      expect(system).toContain(line(overlay));
      expect(system.indexOf(section)).toBeLessThan(system.indexOf(line(overlay)));
    }
  });
});

describe('a run with a language model', () => {
  it('passes to a capsule in its next request what it remembered', async () => {
    await run('openai', poet);
    await server?.close();
    await run('openai', poet);
    const first = server?.chats.find(({ responseName }) => responseName === undefined);
    expect(JSON.stringify(first?.messages)).toContain('The poem has two lines.');
  });

  it('fails a subtask whose model ends with an error, and says why', async () => {
    const abortAttempt: Script = (request) =>
      request.responseName === undefined
        ? { tool_calls: [{ name: 'final', args: { status: 'error', result: 'It is no poem.' } }] }
        : poet(request);
    const { exitCode, document } = await run('openai', abortAttempt);
    expect(exitCode).toBe(1);
    expect(document.subtasks[0]).toMatchObject({
      status: 'failed',
      error: { message: 'It is no poem.' },
    });
    expect(document.subtasks[1]).toMatchObject({ status: 'skipped', reason: 'dependency_failed' });
  });

  it('sends a bad plan back once with the reason, and carries out the mended one', async () => {
    const plans = [
      { ...plan, execution: [{ id: 'a', description: 'x', depends_on: ['b'] }] },
      plan,
    ];
    const problems: unknown[] = [];
    const { exitCode } = await run('openai', (request) => {
      if (request.responseName !== 'plan') return poet(request);
      problems.push(JSON.parse(request.messages.at(-1)?.content ?? '{}').problem);
      return { json: plans.shift() };
    });
    expect(exitCode).toBe(0);
    expect(problems).toEqual([undefined, '"a" depends on "b", which does not exist']);
  });

  it('plans the execution with the findings of the discovery', async () => {
    const asked: { phase: string; found: unknown[] }[] = [];
    const { document } = await run('openai', (request) => {
      if (request.responseName !== 'plan') return poet(request);
      const question = JSON.parse(request.messages.at(-1)?.content ?? '{}');
      asked.push(question);
      return question.phase === 'discovery'
        ? { json: { discovery: plan.execution.slice(0, 1), execution: [] } }
        : { json: { discovery: [], execution: plan.execution.slice(1) } };
    });
    expect(document.status).toBe('completed');
    expect(asked.map(({ phase }) => phase)).toEqual(['discovery', 'execution']);
    expect(JSON.stringify(asked[1]?.found)).toContain('Roses are red / Violets are blue');
  });

  describe('parks with 6 and continues on resume, without repeating effects, if the provider', () => {
    const overloaded = (status: number): ScriptedAnswer => ({
      status,
      body: { error: { message: 'not now' } },
      headers: { 'retry-after': '0' },
    });
    const isWriting = (request: ScriptedRequest) =>
      request.messages[0]?.content.includes('Write the poem in capitals') === true;

    it.each<[string, ScriptedAnswer]>([
      ['answers too late, twice', { broken: 'silent' }],
      ['breaks the connection', { broken: 'reset' }],
      ['is overloaded', overloaded(503)],
      ['limits the rate', overloaded(429)],
      ['has an internal error', overloaded(500)],
    ])('%s', async (_what, broken) => {
      let isOut = true;
      const script: Script = (request) => (isOut && isWriting(request) ? broken : poet(request));
      server = await startModelServer({ vendor: 'openai', script });
      const environment = {
        CAPSTAN_BASE_URL: server.baseUrl,
        OPENAI_API_KEY: KEY,
        CAPSTAN_MODEL_TIMEOUT_SEC: '2',
        CAPSTAN_MODEL_RETRY_SEC: '1',
        CAPSTAN_BREAKER_FAILURES: '20',
      };
      const args = ['--provider', 'openai', '--model', server.model];
      const parked = await sandbox.runJson(
        ['run', ...args, 'Rewrite poem.txt in capitals'],
        environment,
      );
      expect(parked).toMatchObject({
        exitCode: 6,
        document: {
          status: 'parked',
          reason: 'provider',
          error: { code: 'PROVIDER_FAILED', message: expect.stringMatching(/^openai: /) },
          next: [{ action: 'resume' }],
          cost_usd: 0,
          subtasks: [{ status: 'completed' }, { status: 'pending' }],
        },
      });
      expect(server.chats.filter(isWriting).length).toBeGreaterThanOrEqual(2);
      const reported = parked.document.usage.output_tokens;
      expect(reported).toBeLessThan(500);

      isOut = false;
      const resumed = await sandbox.runJson(['resume', parked.document.run_id], environment);
      expect(resumed).toMatchObject({ exitCode: 0, document: { status: 'completed' } });
      expect(readFileSync(join(sandbox.workspace, 'loud.txt'), 'utf8')).toContain('ROSES');
      const reads = server.chats.filter(
        (request) => request.responseName === undefined && !isWriting(request),
      );
      expect(reads).toHaveLength(2);
      expect((await sandbox.run(['audit', 'verify'])).exitCode).toBe(0);
    });

    it('does not answer the plan, and again if its breaker is open then', async () => {
      const environment = { CAPSTAN_MODEL_TIMEOUT_SEC: '0.5', CAPSTAN_BREAKER_FAILURES: '1' };
      const silent = () => ({ broken: 'silent' }) as const;
      const parked = await run('openai', silent, [], environment);
      expect(parked).toMatchObject({ exitCode: 6, document: { status: 'parked', subtasks: [] } });
      expect(parked.document.usage).toMatchObject({ input_tokens: 0, output_tokens: 0 });
      const resumed = await sandbox.runJson(['resume', parked.document.run_id], {
        ...environment,
        CAPSTAN_BASE_URL: server?.baseUrl ?? '',
        OPENAI_API_KEY: KEY,
      });
      expect(resumed).toMatchObject({ exitCode: 6, document: { status: 'parked' } });
      expect(server?.chats).toHaveLength(2);
    });
  });

  it('continues with a fallback model while its provider is out of service, and is replayed alike', async () => {
    const isOut = ({ responseName }: ScriptedRequest) => responseName === undefined;
    const spare = await startModelServer({ vendor: 'ollama', script: poet });
    const script: Script = (request) =>
      isOut(request) ? { status: 503, body: { error: { message: 'not now' } } } : poet(request);
    try {
      const { exitCode, document } = await run('openai', script, [], {
        CAPSTAN_MODEL_FALLBACK: 'ollama:spare:8b',
        CAPSTAN_MODEL_RETRY_SEC: '0',
        CAPSTAN_BREAKER_FAILURES: '2',
        OLLAMA_BASE_URL: spare.origin,
      });
      expect({ exitCode, answer: document.answer }).toEqual({
        exitCode: 0,
        answer: 'The poem is loud now.',
      });
      expect(server?.chats.filter(isOut)).toHaveLength(2);
      expect(new Set(spare.chats.map(({ model }) => model))).toEqual(new Set(['spare:8b']));
      expect(spare.chats.length).toBeGreaterThanOrEqual(4);
      const replayed = await sandbox.runJson(['replay', document.run_id]);
      expect(replayed).toMatchObject({ exitCode: 0, document: { status: 'completed' } });
    } finally {
      await spare.close();
    }
  });

  it('ends with 6, failed, if the vendor refuses the key', async () => {
    const { exitCode, document } = await run('openai', () => ({
      status: 401,
      body: { error: { message: 'bad key' } },
    }));
    expect({ exitCode, status: document.status, reason: document.reason }).toEqual({
      exitCode: 6,
      status: 'failed',
      reason: 'provider',
    });
    expect(server?.chats).toHaveLength(1);
  });

  it('never shows the key to a capsule, a log or the database', async () => {
    const { stdout, stderr } = await run('openai', poet);
    expect(server?.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(
      true,
    );
    const database = readFileSync(join(sandbox.home, 'capstan/state/capstan.db'), 'latin1');
    expect(`${stdout}${stderr}${database}`).not.toContain(KEY);
  });
});
