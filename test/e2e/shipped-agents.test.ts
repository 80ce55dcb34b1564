import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { ScriptedRequest } from '../model-server/script.ts';
import { createSandbox, type Sandbox } from './capstan.ts';

let sandbox: Sandbox;
let server: ModelServer | undefined;
beforeEach(() => {
  sandbox = createSandbox();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  sandbox.remove();
});

type Call = readonly [tool: string, args: Record<string, unknown>];

/** Runs a task with a capsule whose model makes these calls, one after the other. */
async function run(capsule: string, task: string, calls: readonly Call[]) {
  const chats: ScriptedRequest[] = [];
  const plan = { discovery: [], execution: [{ id: 's1', description: task, depends_on: [] }] };
  server = await startModelServer({
    vendor: 'openai',
    script: (request) => {
      if (request.responseName === 'plan') return { json: plan };
      if (request.responseName !== undefined) return { json: { answer: 'Done.' } };
      chats.push(request);
      const [name, args] = calls[chats.length - 1] ?? ['final', { status: 'ok', result: 'Done.' }];
      return { tool_calls: [{ name, args }] };
    },
  });
  const options = ['--provider', 'openai', '--model', server.model, '--capsule', capsule];
  const { exitCode, document } = await sandbox.runJson(
    ['run', ...options, '--approve-mode', 'allow', task],
    { CAPSTAN_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'key-0123456789abcdef0123456789abcdef' },
  );
  const results = (chats.at(-1)?.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
  return { exitCode, document, chats, results };
}

const tokensOf = ({ system, tools }: ScriptedRequest): number =>
  (Buffer.byteLength(system) + Buffer.byteLength(JSON.stringify(tools))) / 4;

describe('with a model', () => {
  it('the developer reads a skill, fixes a file and runs it, and gets both ends of long output', async () => {
    const file = join(sandbox.workspace, 'sum.cjs');
    writeFileSync(
      file,
      'const sum = (a, b) => a - b;\nfor (let i = 0; i < 9000; i++) console.log("row " + i);\nconsole.error("sum is " + sum(2, 3));\n',
    );
    const argv = ['node', 'sum.cjs'];
    const { exitCode, chats, results } = await run('developer', 'Fix the bug in sum.cjs', [
      ['read_skill', { skill: 'terminal', section: 'When it fails' }],
      ['file_io', { operation: 'edit', path: 'sum.cjs', old_text: 'a - b', new_text: 'a + b' }],
      ['terminal', { argv }],
      ['final', { status: 'ok', result: 'Fixed.', artifacts: ['sum.cjs'] }],
    ]);
    expect(readFileSync(file, 'utf8')).toContain('a + b');
    expect(exitCode).toBe(0);
    const [skill = '', , output = ''] = results;
    expect(skill).toMatch(/^## When it fails/);
    expect(output).toMatch(/exit_code.*truncated":true.*sum is 5.*row 0.*left out.*row 8999/s);
    expect(Buffer.byteLength(output)).toBeLessThan(20_000);
    const [first = expect.fail()] = chats;
    expect(tokensOf(first)).toBeLessThan(2_500);
  });

  it('the database editor makes a table of a file, and is offered no other change', async () => {
    writeFileSync(
      join(sandbox.workspace, 'orders.json'),
      '[{"id":1,"total":5},{"id":2,"total":7}]',
    );
    const { exitCode, chats, results } = await run(
      'database-editor',
      'Load orders.json into a new SQLite database orders.db',
      [
        [
          'sql_query',
          {
            database: 'orders.db',
            files: { new_orders: 'orders.json' },
            sql: 'CREATE TABLE orders AS SELECT * FROM new_orders',
            access: 'write',
          },
        ],
        ['sql_query', { database: 'orders.db', sql: 'SELECT sum(total) FROM orders' }],
        ['file_io', { operation: 'write', path: 'a.txt', content: 5 }],
      ],
    );
    expect(exitCode).toBe(0);
    expect(existsSync(join(sandbox.workspace, 'orders.db'))).toBe(true);
    expect(results[1]).toContain('12');
    expect(results[2]).toContain('operation (list, read, search)');
    expect(results[2]).not.toContain('content"');
    const [first = expect.fail()] = chats;
    const offered = JSON.stringify(first.tools.find(({ name }) => name === 'file_io'));
    expect(offered).not.toMatch(/write|delete|"content"/);
  });
});
