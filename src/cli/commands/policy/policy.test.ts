import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { createAudit } from '../../../broker/audit/audit.ts';
import type { Explanation } from '../../../broker/explain-intent.ts';
import { createTrustStore } from '../../../broker/questions/trust-store.ts';
import { loadPolicy } from '../../../broker/rules/load-policy.ts';
import { messageOf } from '../../../contract/errors.ts';
import { openDatabase } from '../../../db/open-database.ts';
import type { ChatFacts } from '../../../policy/decide/chat-facts.ts';
import { toStoredChatFacts, toStoredFacts } from '../../../policy/limits/stored-facts.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { toolbox } from '../../../tools/toolbox.ts';
import { command } from './policy.ts';
import { command as trust } from './trust.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

async function run(
  of: typeof command,
  name: string,
  positionals: string[] = [],
  options: Record<string, unknown> = {},
) {
  const io = ioOf({ environment: person.environment, cwd: person.project });
  const subcommand = of.subcommands?.find((one) => one.name === name);
  const code = await subcommand
    ?.run({ positionals, options }, io)
    .catch((error: unknown) => messageOf(error));
  return { code, out: io.out(), errors: io.errors() };
}

const openDb = () => openDatabase(join(person.home, 'state/capstan.db'));

const keysStay = `
rules:
  - id: keys-stay
    answer: deny
    when: {path: keys/**}
    why: Keys are for people.
    match: [{capsule: file-clerk, tool: file_io, args: {operation: read, path: keys/a}}]
    not_match: [{capsule: file-clerk, tool: file_io, args: {operation: read, path: docs/a}}]
`;

describe('capstan policy rules', () => {
  it('lists the effective rules with their file and line', async () => {
    person.writeOwn('policy.yaml', keysStay);
    expect(await run(command, 'rules')).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^rule +answer +when +where\nkeys-stay +deny +path keys\/\*\* +\S+policy\.yaml:3\n$/,
      ),
    });
    const { out } = await run(command, 'rules', [], { json: true });
    expect(JSON.parse(out)).toMatchObject({
      rules: [{ id: 'keys-stay', answer: 'deny' }],
      problems: [],
      warnings: [expect.stringContaining('keys-stay')],
    });
  });

  it('reports an invalid file, and the command that checks it', async () => {
    person.writeOwn('policy.yaml', 'rules: [{id: x, answer: maybe, when: {}}]');
    const { code, errors } = await run(command, 'rules');
    expect(code).toBe(1);
    expect(errors).toMatch(/^! .*policy\.yaml/m);
    expect(errors).toMatch(/\n {2}Try: capstan policy test\n$/);
  });

  it('says what decides without rules', async () => {
    expect((await run(command, 'rules')).out).toMatch(/^There are no rules: the gates/);
  });
});

describe('capstan policy explain', () => {
  const explain = async (intent: object): Promise<Explanation> => {
    const { out, code } = await run(command, 'explain', [JSON.stringify(intent)], { json: true });
    expect(code).toBe(0);
    return JSON.parse(out);
  };
  const clerk = (args: object) => ({ capsule: 'file-clerk', tool: 'file_io', args });

  it('prints decision, step, rule, reason, tier and sentence', async () => {
    person.writeProject('a.txt', 'x');
    expect(await explain(clerk({ operation: 'read', path: 'a.txt' }))).toEqual({
      decision: 'allow',
      step: 5,
      rule: 'read_workspace',
      reason: null,
      tier: 0,
      sentence: 'It reads in the workspace.',
    });
  });

  it('uses the real files, rules and grants', async () => {
    person.writeOwn('policy.yaml', keysStay);
    person.writeProject('keys/a', 'x');
    person.writeProject('b.txt', 'x');
    symlinkSync('keys/a', join(person.project, 'link'));
    symlinkSync('/etc', join(person.project, 'etc'));
    const rule = async (args: object) => (await explain(clerk(args))).rule;
    expect(await rule({ operation: 'read', path: 'link' })).toBe('keys-stay');
    expect(await rule({ operation: 'read', path: 'KEYS/a' })).toBe('keys-stay');
    expect(await rule({ operation: 'read', path: 'etc/hostname' })).toBe('path_outside');
    expect(await rule({ operation: 'read', path: '.env' })).toBe('protected_path');
    for (const path of ['~', '~/b.txt']) {
      const { decision, sentence } = await explain(clerk({ operation: 'read', path }));
      expect([decision, sentence]).toEqual([
        'deny',
        expect.stringContaining('"~" is not expanded'),
      ]);
    }
    expect(await rule({ operation: 'read', path: './~/b.txt' })).toBe('read_workspace');
    expect(await rule({ operation: 'write', path: 'b.txt', content: 'y' })).toBe(
      'write_other_file',
    );
    expect(await rule({ operation: 'write', path: 'c.txt', content: 'y' })).toBe('write_own_file');
    expect(
      await explain({ capsule: 'file-clerk', tool: 'terminal', args: { argv: ['ls'] } }),
    ).toMatchObject({
      decision: 'deny',
      rule: 'tool_not_granted',
    });
  });

  it('uses trust', async () => {
    person.writeProject('b.txt', 'x');
    const db = openDb();
    const store = createTrustStore(
      db,
      createAudit(db, () => new Date(), noSecrets),
      () => new Date(),
    );
    const about = {
      capsuleId: 'file-clerk',
      tier: 1,
      event: 'approved_success',
      intentId: 'i',
      runId: 'r',
    } as const;
    for (let at = 0; at < 20; at++) store.note(about);
    db.close();
    const intent = clerk({ operation: 'write', path: 'b.txt', content: 'y' });
    expect((await explain(intent)).decision).toBe('ask');
    expect((await explain({ ...intent, sampled: false })).decision).toBe('allow');
  });

  it('takes the facts of a run from the intent', async () => {
    const get = {
      capsule: 'web-reader',
      tool: 'web_fetch',
      args: { url: 'https://docs.example.org/' },
    };
    expect((await explain(get)).rule).toBe('get_other_host');
    expect((await explain({ ...get, task: 'Read https://docs.example.org/' })).rule).toBe(
      'get_named_host',
    );
    expect((await explain({ ...get, after_read: true })).rule).toBe(
      'unnamed_host_after_private_read',
    );
    const command = { capsule: 'command-runner', tool: 'terminal', args: { argv: ['ls'] } };
    expect((await explain({ ...command, isolation: 'A' })).rule).toBe('sandboxed_read');
    expect((await explain({ ...command, isolation: 'B' })).rule).toBe('isolation_b');
    const chat = { capsule: 'summarizer', tool: 'chat', provider: 'openai' };
    expect((await explain({ ...chat, cost_usd: 0 })).rule).toBe('free_call');
    expect((await explain({ ...chat, cost_usd: 0.01 })).rule).toBe('spend');
    expect((await explain({ ...chat, cost_usd: 9 })).rule).toBe('run_budget');
    expect((await explain({ ...chat, capsule: 'coordinator', cost_usd: 9 })).rule).toBe(
      'run_budget',
    );
  });

  it.each([
    ['an unknown capsule', { capsule: 'nobody', tool: 'file_io' }, 'capsule_unknown'],
    ['an unknown tool', { capsule: 'file-clerk', tool: 'fileio' }, 'tool_unknown'],
    ['bad arguments', clerk({ operation: 'fly' }), 'args_invalid'],
  ])('denies %s', async (_what, intent, rule) => {
    expect(await explain(intent)).toMatchObject({ decision: 'deny', step: 1, rule, tier: null });
  });

  it('explains a file of intents line by line, and creates no database', async () => {
    const lines = [clerk({ operation: 'read', path: 'a' }), { capsule: 'nobody', tool: 'x' }];
    person.writeProject(
      'intents.jsonl',
      `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n`,
    );
    const { out } = await run(command, 'explain', [], { file: 'intents.jsonl' });
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).rule),
    ).toEqual(['read_workspace', 'capsule_unknown']);
    expect(() => rmSync(join(person.home, 'state'))).toThrow('ENOENT');
  });

  it('prints text', async () => {
    person.writeOwn('policy.yaml', keysStay);
    const { out } = await run(command, 'explain', [
      JSON.stringify(clerk({ operation: 'read', path: 'keys/a' })),
    ]);
    expect(out).toBe(
      'DENY  by keys-stay (step 3, rules)\n  The rule "keys-stay" says deny: Keys are for people.\n  tier 0 · reason denied\n',
    );
  });

  it('explains although an example fails, and names that example', async () => {
    person.writeOwn('policy.yaml', keysStay.replace('path: docs/a', 'path: keys/b'));
    const intent = JSON.stringify(clerk({ operation: 'read', path: 'keys/b' }));
    const { code, out, errors } = await run(command, 'explain', [intent]);
    expect(code).toBe(0);
    expect(out).toContain('DENY  by keys-stay');
    expect(errors).toContain('note: no run starts: ');
    expect(errors).toContain('rule "keys-stay" not_match[0]: ');
  });

  it.each([
    [['nope'], {}, 'The intent: "nope" is not JSON. An intent looks like {"capsule":'],
    [['{"tool": "x"}'], {}, 'The intent: capsule: write the id of a capsule. An intent'],
    [
      ['{"capsule": "a", "tool": "x", "path": "b"}'],
      {},
      'The intent: there is no field "path" here; the arguments of the tool belong in "args". An intent',
    ],
    [['{"capsule": "c", "tool": "x", "argz": {}}'], {}, 'argz'],
    [[], {}, 'Name one intent'],
    [[], { file: 'missing.jsonl' }, 'there is no such file'],
  ])('refuses %j with %j', async (positionals, options, words) => {
    expect((await run(command, 'explain', positionals, options)).code).toContain(words);
  });
});

describe('capstan policy test', () => {
  it('passes if every example holds', async () => {
    person.writeOwn('policy.yaml', keysStay);
    const { code, out } = await run(command, 'test');
    expect(code).toBe(0);
    expect(out).toMatch(/^ok {4}keys-stay match /m);
    expect(out).toContain('1 rule in');
    expect(out).toContain('2 examples, 0 failed');
  });

  it('counts the problems of the files, and says that no run starts', async () => {
    person.writeOwn('policy.yaml', 'rules: [{ id: one, answer: asks, when: { tool: chat } }]');
    const { code, out } = await run(command, 'test');
    expect(code).toBe(1);
    expect(out).toMatch(/1 problem in \S+policy\.yaml: no run starts until it is corrected\.\n$/);
    expect(out).not.toContain('0 failed');
  });

  it('warns that a program can open a path that only a path rule denies', async () => {
    person.writeOwn('policy.yaml', keysStay);
    const { code, out } = await run(command, 'test');
    expect(code).toBe(0);
    expect(out).toMatch(/^warn .*rule "keys-stay": a program that terminal or python_exec runs/m);
  });

  it('fails if one does not, and names its line', async () => {
    person.writeOwn('policy.yaml', keysStay.replace('path: docs/a', 'path: keys/b'));
    const { code, out } = await run(command, 'test');
    expect(code).toBe(1);
    expect(out).toContain('policy.yaml:3 rule "keys-stay" not_match[0]: "keys-stay" matches it.');
    const { out: json } = await run(command, 'test', [], { json: true });
    expect(JSON.parse(json)).toMatchObject({
      ok: false,
      problems: [],
      examples: [{ ok: true }, { ok: false }],
    });
  });

  it.each([
    ['a wrong file', 'rules: [{id: a}]', 'rule "a" answer'],
    ['invalid YAML', 'rules: [', 'not valid YAML'],
  ])('fails on %s', async (_what, text, words) => {
    person.writeOwn('policy.yaml', text);
    const { code, out } = await run(command, 'test');
    expect(code).toBe(1);
    expect(out).toContain(words);
  });

  it('passes without a rules file', async () => {
    expect((await run(command, 'test')).out).toContain('There are no rules files');
  });
});

it.each(['test', 'backtest', 'explain'])(
  "policy %s refuses a named rules file that can't be read",
  async (name) => {
    const intent = '{"capsule": "file-clerk", "tool": "file_io", "args": {"operation": "list"}}';
    const refusal = async (policy: string, json: boolean) =>
      (await run(command, name, name === 'explain' ? [intent] : [], { policy, json })).code;
    const path = join(person.project, 'missing.yaml');
    for (const json of [false, true]) {
      expect(await refusal('missing.yaml', json)).toContain(`${path}: there is no such file`);
      expect(await refusal('.', json)).toContain('this is not a file');
    }
  },
);

describe('capstan policy backtest', () => {
  const chat: ChatFacts = {
    provider: 'openai',
    model: 'gpt',
    estimateMicroUsd: 200_000,
    gate: 'auto',
    hasConsent: true,
    holdsSecret: false,
    runSpentMicroUsd: 0,
    runBudgetMicroUsd: 1_000_000,
    daySpentMicroUsd: 0,
    dayBudgetMicroUsd: 1_000_000,
    runTokens: 0,
    runTokenBudget: undefined,
    capsuleId: 'summarizer',
  };

  /** A run with three intents that were decided by `keysStay`, and one without facts. */
  async function journal() {
    person.writeOwn('policy.yaml', keysStay);
    const { settings, project } = await person.load();
    const { snapshot } = await loadPolicy({
      settings,
      project,
      cwd: person.project,
      environment: person.environment,
      tools: toolbox,
    });
    const db = openDb();
    db.prepare(
      `INSERT INTO runs (id, session_id, task, workspace, provider, isolation, options, status, owner, created_at, policy)
       VALUES ('run-1', 's', 't', ?, 'offline', 'none', '{}', 'completed', '{}', '2026-05-01T00:00:00Z', ?)`,
    ).run(person.project, JSON.stringify(snapshot));
    let seq = 0;
    const add = (kind: string, request: object, facts: object | null) =>
      db
        .prepare(
          `INSERT INTO intents (id, run_id, subtask_id, capsule_id, seq, kind, name, target, tier, request, request_hash,
             reason, status, proposed_at, facts)
           VALUES (?, 'run-1', '1', 'file-clerk', ?, ?, 'file_io.read', 'x\u202E', 0, ?, '', '', 'done', ?, ?)`,
        )
        .run(
          `i${seq}`,
          ++seq,
          kind,
          JSON.stringify(request),
          `2026-05-0${seq}T00:00:00Z`,
          facts && JSON.stringify(facts),
        );
    const read = (path: string) => {
      const request = { tool: 'file_io', args: { operation: 'read', path } };
      const facts = toStoredFacts({
        grant: { paths: ['**'] },
        workspace: person.project,
        paths: [{ path, access: 'read', realPath: join(person.project, path), isProtected: false }],
        namedHosts: new Set(),
        hasReadPrivate: false,
        holdsSecret: false,
        isolation: 'none',
        gates: { write: 'auto', execute: 'auto', spend: 'auto' },
        capsuleId: 'file-clerk',
      });
      add('tool', request, facts);
    };
    read('keys/a');
    read('docs/a');
    add('chat', { messages: [], hint: 'fast' }, toStoredChatFacts(chat));
    add('tool', { tool: 'file_io', args: {} }, null);
    db.close();
  }
  const test = async (options: Record<string, unknown> = {}) =>
    JSON.parse((await run(command, 'backtest', [], { json: true, ...options })).out);

  it('finds nothing to change under the rules the run began with', async () => {
    await journal();
    expect(await test()).toEqual({ decided: 3, skipped: 1, changed: 0, counts: {}, changes: [] });
  });

  it('lists what an edited file would change, before and after', async () => {
    await journal();
    person.writeProject(
      'edited.yaml',
      `rules: [{id: docs-ask, answer: ask, when: {path: docs/**}}, {id: dear, answer: deny, when: {cost_usd: {over: 0.1}}}]`,
    );
    const found = await test({ policy: 'edited.yaml' });
    expect(found).toMatchObject({
      decided: 3,
      changed: 3,
      counts: { 'deny → allow': 1, 'allow → ask': 1, 'allow → deny': 1 },
    });
    expect(
      found.changes.map((one: { before: object; after: object }) => [one.before, one.after]),
    ).toEqual([
      [
        { decision: 'allow', step: 5, rule: 'consent' },
        { decision: 'deny', step: 3, rule: 'dear' },
      ],
      [
        { decision: 'allow', step: 5, rule: 'read_workspace' },
        { decision: 'ask', step: 3, rule: 'docs-ask' },
      ],
      [
        { decision: 'deny', step: 3, rule: 'keys-stay' },
        { decision: 'allow', step: 5, rule: 'read_workspace' },
      ],
    ]);
    const { out, code } = await run(command, 'backtest', [], { policy: 'edited.yaml' });
    expect(code).toBe(0);
    expect(out).toContain('deny (keys-stay)');
    expect(out).toContain(
      '3 intents were decided again, 3 differently. 1 could not be decided (no facts were kept).',
    );
    expect(out).not.toContain('\u202E');
  });

  it('leaves out decisions that stay the same under another rule', async () => {
    await journal();
    person.writeProject(
      'edited.yaml',
      `${keysStay}  - { id: docs-read, answer: allow, when: { path: docs/** } }\n`,
    );
    expect(await test({ policy: 'edited.yaml' })).toMatchObject({ changed: 0, counts: {} });
  });

  it('decides requests to services again', async () => {
    const origin = 'https://weather.example';
    person.writeOwn('services.yaml', `services: {weather: {origin: "${origin}", price_usd: 0}}`);
    await journal();
    const db = openDb();
    const facts = toStoredFacts({
      grant: { hosts: ['weather.example'] },
      workspace: person.project,
      paths: [],
      namedHosts: new Set(['weather.example']),
      hasReadPrivate: false,
      holdsSecret: false,
      isolation: 'none',
      gates: { write: 'auto', execute: 'auto', spend: 'auto' },
      services: new Set(['weather']),
      capsuleId: 'file-clerk',
    });
    const request = { kind: 'http', service: 'weather', method: 'GET', path: '/v1/now' };
    db.prepare(
      `UPDATE intents SET kind = 'http', name = 'http_api.GET', request = ?, facts = ? WHERE id = 'i3'`,
    ).run(JSON.stringify(request), JSON.stringify(facts));
    db.close();
    person.writeProject(
      'edited.yaml',
      'rules: [{id: no-weather, answer: deny, when: {host: weather.example}}]',
    );
    const { decided, changes } = await test({ policy: 'edited.yaml' });
    expect(decided).toBe(4);
    expect(changes[0]).toMatchObject({
      name: 'http_api.GET',
      before: { decision: 'ask', step: 5 },
      after: { decision: 'deny', step: 3, rule: 'no-weather' },
    });
  });

  it('leaves out intents older than --since', async () => {
    await journal();
    expect(await test({ since: '2026-05-03' })).toMatchObject({ decided: 1, skipped: 1 });
    expect(await test({ since: '30m' })).toMatchObject({ decided: 0, skipped: 0 });
    expect((await run(command, 'backtest', [], { since: 'soon' })).code).toContain(
      'Write 90m, 12h, 7d',
    );
  });

  it('reports an empty journal', async () => {
    expect(await test()).toMatchObject({ decided: 0, changed: 0 });
  });
});

describe('capstan policy trust', () => {
  function approve(times: number) {
    mkdirSync(join(person.home, 'state'), { recursive: true });
    const db = openDb();
    const store = createTrustStore(
      db,
      createAudit(db, () => new Date(), noSecrets),
      () => new Date(),
    );
    const about = {
      capsuleId: 'file-clerk',
      tier: 1,
      event: 'approved_success',
      intentId: 'i',
      runId: 'r',
    } as const;
    for (let at = 0; at < times; at++) store.note(about);
    db.close();
  }

  it('shows levels, counts and the approvals still needed', async () => {
    expect((await run(trust, 'show')).out).toContain('Every capsule is supervised');
    approve(21);
    expect((await run(trust, 'show')).out).toMatch(
      /^file-clerk +1 write +sampling +21 +0 +0 +29 more for autonomous$/m,
    );
    const { out } = await run(trust, 'show', ['file-clerk'], { json: true });
    expect(JSON.parse(out)).toMatchObject([
      { capsule_id: 'file-clerk', tier: 1, level: 'sampling', approved: 21 },
    ]);
    expect((await run(trust, 'show', ['web-reader'])).out).toContain('web-reader is supervised');
  });

  it.each(['show', 'reset'])('refuses a capsule that does not exist: %s', async (name) => {
    expect((await run(trust, name, ['nobody'])).code).toMatch(
      /^There is no capsule "nobody"\. Known: .*file-clerk/,
    );
  });

  it('resets trust', async () => {
    approve(20);
    expect((await run(trust, 'reset', ['file-clerk'], { tier: '2' })).out).toContain(
      'none of its requests',
    );
    expect((await run(trust, 'reset', ['file-clerk'], { tier: '1' })).out).toBe(
      'file-clerk is supervised again in tier 1.\n',
    );
    const { out } = await run(trust, 'show', [], { json: true });
    expect(JSON.parse(out)).toEqual([]);
    expect((await run(trust, 'reset', ['file-clerk'], { tier: '0' })).code).toContain(
      'Write 1 (write) or 2 (execute)',
    );
  });
});
