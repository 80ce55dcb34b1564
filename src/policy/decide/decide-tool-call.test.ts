import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../contract/permissions/operation.ts';
import type { Trust } from '../../contract/permissions/trust.ts';
import type { WrittenFileState } from '../protected/file-state.ts';
import { compileRule } from '../rules/compile-rule.ts';
import type { Rule } from '../rules/rule.ts';
import type { When } from '../rules/rules-schema.ts';
import { REDACTED } from '../secrets/redact.ts';
import { decideToolCall } from './decide-tool-call.ts';
import { repeatabilityOf } from './table.ts';
import type { PathFacts, ToolCallFacts } from './tool-call-facts.ts';

const workspace = '/home/ada/work';
const everything = { paths: ['**'], hosts: ['*'], commands: ['**'] };

const facts = (changes: Partial<ToolCallFacts> = {}): ToolCallFacts => ({
  grant: everything,
  workspace,
  paths: [],
  namedHosts: new Set(['named.example']),
  hasReadPrivate: false,
  holdsSecret: false,
  isolation: 'none',
  gates: { write: 'auto', execute: 'auto', spend: 'auto' },
  ...changes,
});

/** An operation and the known facts about its paths. */
type Case = readonly [Operation, Partial<ToolCallFacts>];

const path = (
  name: string,
  access: 'read' | 'write',
  changes: Partial<PathFacts> = {},
): PathFacts => ({
  path: name,
  access,
  realPath: join(workspace, name),
  isProtected: false,
  ...changes,
});
const read = (name = 'a.txt', changes: Partial<PathFacts> = {}): Case => [
  {
    tool: 'file_io',
    name: 'file_io.read',
    tier: 0,
    repeatability: 'pure',
    paths: [{ path: name, access: 'read' }],
    target: name,
  },
  { paths: [path(name, 'read', changes)] },
];
const write = (
  state: WrittenFileState = 'absent',
  name = 'a.txt',
  changes: Partial<PathFacts> = {},
): Case => [
  {
    tool: 'file_io',
    name: 'file_io.write',
    tier: 1,
    repeatability: 'pure',
    paths: [{ path: name, access: 'write' }],
    content: 'x',
    target: name,
  },
  { paths: [path(name, 'write', { state, ...changes })] },
];
const http = (method: 'GET' | 'POST', host: string): Operation => ({
  tool: 'http_api',
  name: `http_api.${method}`,
  tier: method === 'GET' ? 0 : 2,
  repeatability: 'pure',
  paths: [],
  url: new URL(`https://${host}/`),
  target: host,
});
const execute = (
  kind: 'argv' | 'shell' | 'python',
  access: 'read' | 'write' = 'read',
): Operation => {
  const command =
    kind === 'argv'
      ? ({ kind, argv: ['git', 'log'] } as const)
      : kind === 'shell'
        ? ({ kind, text: 'ls | wc' } as const)
        : ({ kind, code: 'print(1)' } as const);
  const tool = kind === 'python' ? 'python_exec' : 'terminal';
  const about = {
    tool,
    name: `${tool}.${access}`,
    tier: 2,
    repeatability: 'unsafe',
    paths: [],
    target: kind,
  } as const;
  return { ...about, command: { ...command, access, cwd: '.' } };
};

/** Python whose output the tool writes to a file. */
const saving = (state: WrittenFileState, name = 'out.csv'): Case => [
  { ...execute('python'), paths: [{ path: name, access: 'write' }] },
  { paths: [path(name, 'write', { state })] },
];

/** A command that is to reach hosts. */
const reaching = (kind: 'argv' | 'shell' | 'python', ...hosts: readonly string[]): Operation => ({
  ...execute(kind, 'read'),
  network: hosts.map((host) => new URL(`https://${host}`)),
});

const decide = ([operation, known]: Case, changes: Partial<ToolCallFacts> = {}) =>
  decideToolCall(operation, facts({ ...known, ...changes }));

describe('repeating after a crash', () => {
  it('is a command that can change nothing, and no other', () => {
    const of = (operation: Operation, isolation: 'A' | 'B') =>
      repeatabilityOf({ ...operation, repeatability: 'unsafe' }, facts({ isolation }));
    expect(of(execute('shell', 'read'), 'A')).toBe('pure');
    expect(of(execute('shell', 'read'), 'B')).toBe('unsafe');
    expect(of(saving('absent')[0], 'A')).toBe('unsafe');
    expect(of(execute('shell', 'write'), 'A')).toBe('unsafe');
    expect(of(reaching('argv', 'named.example'), 'A')).toBe('unsafe');
    expect(of(http('POST', 'named.example'), 'A')).toBe('unsafe');
  });
});

describe('step 5, the table', () => {
  const levels: readonly Trust[] = ['supervised', 'sampling', 'autonomous'];
  const afterRead = { hasReadPrivate: true };
  const inA = { isolation: 'A' } as const;
  const get = (host: string): Case => [http('GET', host), {}];
  const post = (host: string): Case => [http('POST', host), {}];
  const run = (...args: Parameters<typeof execute>): Case => [execute(...args), {}];
  /** a: allow, s: ask if the sample contains it, q: ask; one letter for each column. */
  const rows: readonly (readonly [string, Case, Partial<ToolCallFacts>, string, string])[] = [
    ['reads in the workspace', read(), {}, 'aaa', 'read_workspace'],
    ['reads in the workspace after reading', read(), afterRead, 'aaa', 'read_workspace'],
    ['GET of a named host', get('named.example'), {}, 'aaa', 'get_named_host'],
    ['GET of a named host after reading', get('named.example'), afterRead, 'aaa', 'get_named_host'],
    ['argv, read, at level A', run('argv'), inA, 'aaa', 'sandboxed_read'],
    ['shell, read, at level A', run('shell'), inA, 'aaa', 'sandboxed_read'],
    ['Python, read, at level A', run('python'), inA, 'aaa', 'sandboxed_read'],
    ['Python saved as a new file, at level A', saving('absent'), inA, 'aaa', 'write_own_file'],
    ['Python saved over a file, at level A', saving('other'), inA, 'qsa', 'write_other_file'],
    ['Python saved as a Makefile', saving('absent', 'Makefile'), inA, 'qsa', 'write_other_file'],
    ['Python saved, without isolation', saving('absent'), {}, 'qqs', 'execute_text'],
    ...(
      [
        ['argv to a named host', reaching('argv', 'named.example'), 'qsa', 'execute_argv'],
        ['Python to a named host', reaching('python', 'named.example'), 'qqs', 'execute_text'],
        ['argv to another host', reaching('argv', 'x.example'), 'qqq', 'unnamed_host_of_command'],
        [
          'argv to a named and another host',
          reaching('argv', 'named.example', 'x.example'),
          'qqq',
          'unnamed_host_of_command',
        ],
        [
          'argv to another port of a named host',
          reaching('argv', 'named.example:8443'),
          'qqq',
          'unnamed_host_of_command',
        ],
      ] as const
    ).map(([what, operation, letters, row]) => [what, [operation, {}], inA, letters, row] as const),
    ['writes a new file', write('absent'), {}, 'aaa', 'write_own_file'],
    ['writes a file of its own', write('written_last_by_capstan'), {}, 'aaa', 'write_own_file'],
    ['writes any other file', write('other'), {}, 'qsa', 'write_other_file'],
    ['writes a new dotfile', write('absent', '.bashrc'), {}, 'qsa', 'write_other_file'],
    [
      'writes into a new dot folder',
      write('absent', '.github/workflows/x.yml'),
      {},
      'qsa',
      'write_other_file',
    ],
    [
      'writes into a new folder of hooks, by a link',
      write('absent', 'docs/pre-commit', { realPath: join(workspace, '.husky/pre-commit') }),
      {},
      'qsa',
      'write_other_file',
    ],
    ['writes a new Makefile', write('absent', 'sub/Makefile'), {}, 'qsa', 'write_other_file'],
    [
      'writes its own package.json',
      write('written_last_by_capstan', 'package.json'),
      {},
      'qsa',
      'write_other_file',
    ],
    [
      'writes an executable',
      write('written_last_by_capstan', 'tool', { isExecutable: true }),
      {},
      'qsa',
      'write_other_file',
    ],
    [
      'writes through a link to a Makefile',
      write('absent', 'm', { realPath: join(workspace, 'Makefile') }),
      {},
      'qsa',
      'write_other_file',
    ],
    ['GET of another host', get('other.example'), {}, 'qsa', 'get_other_host'],
    ['GET of another port', get('named.example:8443'), {}, 'qsa', 'get_other_host'],
    ['argv, write, at level A', run('argv', 'write'), inA, 'qsa', 'execute_argv'],
    ['argv, read, without isolation', run('argv'), {}, 'qsa', 'execute_argv'],
    ['POST to a named host', post('named.example'), {}, 'qsa', 'change_remote'],
    ['POST to another host', post('other.example'), {}, 'qsa', 'change_remote'],
    ['shell, write, at level A', run('shell', 'write'), inA, 'qqs', 'execute_text'],
    ['shell, read, without isolation', run('shell'), {}, 'qqs', 'execute_text'],
    ['Python, write, at level A', run('python', 'write'), inA, 'qqs', 'execute_text'],
    ['Python, read, without isolation', run('python'), {}, 'qqs', 'execute_text'],
    [
      'GET of another host after reading',
      get('other.example'),
      afterRead,
      'qqq',
      'unnamed_host_after_private_read',
    ],
    [
      'POST to another host after reading',
      post('other.example'),
      afterRead,
      'qqq',
      'unnamed_host_after_private_read',
    ],
  ];
  const answers = { a: ['allow', 'allow'], s: ['allow', 'ask'], q: ['ask', 'ask'] } as const;
  const cells = rows.flatMap(([what, one, changes, letters, rule]) =>
    levels.map(
      (level, at) => [what, level, one, changes, letters[at] as 'a' | 's' | 'q', rule] as const,
    ),
  );

  it.each(cells)('%s, %s', (_what, level, one, changes, letter, rule) => {
    const trust = { 0: level, 1: level, 2: level };
    const decisions = [false, true].map((isSampled) =>
      decide(one, { ...changes, trust, isSampled }),
    );
    expect(decisions.map(({ kind }) => kind)).toEqual(answers[letter]);
    expect(decisions.map((decision) => decision.rule)).toEqual([rule, rule]);
    expect(decisions.map(({ step }) => step)).toEqual([5, 5]);
  });

  it.each([
    ['a free service', { costMicroUsd: 0 }, 'allow'],
    [
      'one whose money is agreed to and reserved',
      { costMicroUsd: 9, isSpendAgreed: true },
      'allow',
    ],
    ['a paid one', { costMicroUsd: 9 }, 'ask'],
    ['one at another address', { serviceProblem: 'it is at https://a.example' }, 'deny'],
    [
      'one behind a gate that asks, once it was answered',
      {
        costMicroUsd: 9,
        isSpendAgreed: true,
        gates: { write: 'auto', execute: 'auto', spend: 'ask' },
      },
      'allow',
    ],
  ] as const)('of %s', (_what, changes, answer) => {
    const operation = { ...http('GET', 'named.example'), service: 'maps' };
    const services = new Set(['maps']);
    expect(decide([operation, {}], { services, ...changes }).kind).toBe(answer);
  });

  it('spends at the host of a paid service under any name', () => {
    const get = http('GET', 'named.example');
    expect(decide([get, {}], { costMicroUsd: 9 }).kind).toBe('ask');
    expect(decide([get, {}], {}).kind).toBe('allow');
  });

  it('asks about a call of a service in every column: it spends', () => {
    const operation = { ...http('GET', 'named.example'), service: 'maps' };
    const trust = { 0: 'autonomous', 1: 'autonomous', 2: 'autonomous', 3: 'autonomous' } as const;
    expect(decide([operation, {}], { trust, services: new Set(['maps']) }).kind).toBe('ask');
  });

  it('treats an unknown capsule as supervised, and a missing sample as a hit', () => {
    expect(decide(write('other')).kind).toBe('ask');
    expect(decide(write('other'), { trust: { 1: 'sampling' } }).kind).toBe('ask');
  });

  it('counts trust by tier: trust to write is not trust to execute', () => {
    expect(decide([execute('argv'), {}], { trust: { 1: 'autonomous' } }).kind).toBe('ask');
  });
});

describe('step 1, denials', () => {
  const outside = { realPath: '/home/ada/other/a.txt' };
  const grant = (changes: object): Partial<ToolCallFacts> => ({ grant: changes });
  const rules: readonly (readonly [string, Case, Partial<ToolCallFacts>, string])[] = [
    ['a tool that is not granted', read(), { grant: undefined }, 'tool_not_granted'],
    [
      'an operation that is not granted',
      write(),
      grant({ ...everything, operations: ['read'] }),
      'operation_not_granted',
    ],
    ['a path without any granted', read(), grant({}), 'path_not_granted'],
    ['a path that is not granted', read('a.txt'), grant({ paths: ['b/**'] }), 'path_not_granted'],
    [
      'a link to a path that is not granted',
      read('b/x', { realPath: join(workspace, 'a.txt') }),
      grant({ paths: ['b/**'] }),
      'path_not_granted',
    ],
    ['a path outside the workspace', read('../other/a.txt', outside), {}, 'path_outside'],
    ['a link that leads outside', write('other', 'link', outside), {}, 'path_outside'],
    [
      'a neighbour of the same beginning',
      read('x', { realPath: `${workspace}-2/x` }),
      {},
      'path_outside',
    ],
    ['facts about another path', [read('a.txt')[0], read('b.txt')[1]], {}, 'path_unknown'],
    ['a path of which nothing is known', [read('a.txt')[0], {}], {}, 'path_unknown'],
    ['a protected path', read('.env', { isProtected: true }), {}, 'protected_path'],
    [
      'a host that is not granted',
      [http('GET', 'named.example'), {}],
      grant({ hosts: ['api.example'] }),
      'host_not_granted',
    ],
    [
      'a host without any granted',
      [http('GET', 'named.example'), {}],
      grant({}),
      'host_not_granted',
    ],
    [
      'a command that is not granted',
      [execute('argv'), {}],
      grant({ commands: ['git status'] }),
      'command_not_granted',
    ],
    ['a command without any granted', [execute('argv'), {}], grant({}), 'command_not_granted'],
    [
      'a shell string under a pattern of words',
      [execute('shell'), {}],
      grant({ commands: ['ls **'] }),
      'command_not_granted',
    ],
    [
      'code where only commands are granted',
      [execute('python'), {}],
      grant({ commands: ['ls'] }),
      'command_not_granted',
    ],
    [
      'a service that is not configured',
      [{ ...http('GET', 'named.example'), service: 'maps' }, {}],
      {},
      'service_unknown',
    ],
    ['a known secret', read(), { holdsSecret: true }, 'secret_in_request'],
    [
      'network for a command, to a host that is not granted',
      [reaching('argv', 'named.example', 'x.example'), {}],
      { isolation: 'A', grant: { ...everything, hosts: ['named.example'] } },
      'host_not_granted',
    ],
    ...(['B', 'none'] as const).map(
      (isolation) =>
        [
          `network for a command at level ${isolation}`,
          [reaching('argv', 'named.example'), {}],
          { isolation },
          'network_needs_level_a',
        ] as const,
    ),
    ['execution at level C', [execute('argv'), {}], { isolation: 'C' }, 'isolation_too_low'],
    [
      'a write behind a closed gate',
      write(),
      { gates: { write: 'deny', execute: 'auto', spend: 'auto' } },
      'gate_deny',
    ],
    [
      'execution behind a closed gate',
      [execute('argv'), {}],
      { gates: { write: 'auto', execute: 'deny', spend: 'auto' } },
      'gate_deny',
    ],
    [
      'a service behind a closed gate',
      [{ ...http('GET', 'named.example'), service: 'maps' }, {}],
      { services: new Set(['maps']), gates: { write: 'auto', execute: 'auto', spend: 'deny' } },
      'gate_deny',
    ],
    [
      'what an enforced hook denies',
      read(),
      { hook: { answer: 'deny', hook: 'guard', why: 'No.' } },
      'hook_deny',
    ],
    [
      'anything behind an open breaker',
      read(),
      { breaker: { subject: 'maps', restMs: 100 } },
      'breaker_open',
    ],
    [
      'anything while a rules file is unreadable',
      read(),
      { rules: 'unreadable' },
      'rules_unreadable',
    ],
  ];

  it.each(rules)('refuses %s', (_what, one, changes, rule) => {
    expect(decide(one, changes)).toMatchObject({ kind: 'deny', step: 1, rule });
  });

  it.each(rules)("can't be overridden by any rule, gate or trust: %s", (_what, one, changes) => {
    const gates = { write: 'allow', execute: 'allow', spend: 'allow', ...changes.gates } as const;
    const trust = { 0: 'autonomous', 1: 'autonomous', 2: 'autonomous', 3: 'autonomous' } as const;
    const allowAll: Rule = { id: 'all', answer: 'allow', matches: () => true };
    const lifted = { rules: [allowAll], ...changes, gates, trust, isSampled: false };
    expect(decide(one, lifted)).toMatchObject({ kind: 'deny', step: 1 });
  });

  it('gives the reason isolation if that is the cause', () => {
    expect(decide([execute('argv'), {}], { isolation: 'C' })).toMatchObject({
      reason: 'isolation',
    });
    expect(decide(read(), { holdsSecret: true })).toMatchObject({ reason: 'denied' });
  });

  it('refuses to write the placeholder of a secret, by any way that writes', () => {
    const [operation, known] = write();
    const inserted: Case = [{ ...operation, content: undefined, inserted: REDACTED }, known];
    const text = `echo '${REDACTED}' > f`;
    const command = { kind: 'shell', text, access: 'write', cwd: '.' } as const;
    const cases: readonly Case[] = [
      [{ ...operation, content: `KEY=${REDACTED}` }, known],
      inserted,
      [{ ...execute('shell', 'write'), command }, {}],
    ];
    for (const one of cases) expect(decide(one).rule).toBe('placeholder_in_write');
  });

  it('requires a grant for everything below a folder if the call touches all of it', () => {
    const tree = (name: string): Case => {
      const paths = [{ path: name, access: 'read', subtree: true }] as const;
      return [{ ...read(name)[0], paths }, read(name)[1]];
    };
    expect(decide(tree('.')).kind).toBe('allow');
    expect(decide(tree('src'), grant({ paths: ['src/**'] })).kind).toBe('allow');
    for (const paths of [['*'], ['src'], ['src/*'], ['**/*.md'], ['**', '!src/keys/**']]) {
      expect(decide(tree('src'), grant({ paths })).rule).toBe('path_not_granted');
    }
  });
});

describe('step 2, the questions that only a person answers', () => {
  const allowAll: Rule = { id: 'all', answer: 'allow', matches: () => true };
  const open = {
    rules: [allowAll],
    gates: { write: 'allow', execute: 'allow', spend: 'allow' },
  } as const;

  it.each<[string, Case, Partial<ToolCallFacts>, string]>([
    ['a file that changed since the run read it', write('changed_since_read'), {}, 'file_changed'],
    ['execution at level B', [execute('argv'), {}], { isolation: 'B' }, 'isolation_b'],
    [
      'execution that only reads at level B',
      [execute('python'), {}],
      { isolation: 'B' },
      'isolation_b',
    ],
    [
      'what a hook asks about',
      read(),
      { hook: { answer: 'ask', hook: 'guard', why: 'Look at it.' } },
      'hook_ask',
    ],
  ])('is %s', (_what, one, changes, rule) => {
    const trust = { 0: 'autonomous', 1: 'autonomous', 2: 'autonomous' } as const;
    const decision = decide(one, { ...open, ...changes, trust, isSampled: false });
    expect(decision).toMatchObject({ kind: 'ask', step: 2, rule, forced: true });
  });

  it('comes after a denial', () => {
    expect(decide(write('changed_since_read'), { holdsSecret: true }).step).toBe(1);
  });
});

describe('step 3, rules', () => {
  const rule = (id: string, answer: Rule['answer'], tool = 'file_io'): Rule => ({
    id,
    answer,
    matches: (operation) => operation.tool === tool,
  });

  it.each([
    ['a deny before all others', ['allow', 'ask', 'deny'], 'deny'],
    ['an ask before an allow', ['allow', 'ask'], 'ask'],
    ['an allow alone', ['allow'], 'allow'],
  ] as const)('takes %s', (_what, given, expected) => {
    const rules = given.map((answer) => rule(answer, answer));
    expect(decide(write('other'), { rules })).toMatchObject({
      kind: expected,
      step: 3,
      rule: expected,
    });
  });

  it.each([
    ['a new deny', ['allow'], ['deny'], 'deny'],
    ['a new ask', ['allow'], ['ask'], 'ask'],
    ['an allow that is gone', ['allow'], [], 'ask'],
    ['its own deny, although the rule is gone', ['deny'], [], 'deny'],
    ['its own ask, although there is an allow now', ['ask'], ['allow'], 'ask'],
    ['an allow of both', ['allow'], ['allow'], 'allow'],
  ] as const)(
    'applies %s if the rules changed since the run began',
    (_what, begun, now, expected) => {
      const rulesOf = (given: readonly Rule['answer'][]) =>
        given.map((answer) => rule(answer, answer));
      const changes = { rules: rulesOf(begun), currentRules: rulesOf(now) };
      expect(decide(write('other'), changes).kind).toBe(expected);
      expect(decide(write('other'), { ...changes, currentRules: 'unreadable' }).kind).toBe('deny');
    },
  );

  it('names the first allow that matches, and skips those that do not match', () => {
    const rules = [rule('x', 'deny', 'terminal'), rule('one', 'allow'), rule('two', 'allow')];
    expect(decide(write('other'), { rules }).rule).toBe('one');
  });

  it('comes before the gates', () => {
    const gates = { write: 'allow', execute: 'auto', spend: 'auto' } as const;
    expect(decide(write('other'), { rules: [rule('no', 'deny')], gates })).toMatchObject({
      step: 3,
    });
  });
});

describe('a paid call under any name', () => {
  const services = new Set(['maps']);
  const paid = { ...http('GET', 'named.example'), service: 'maps' };
  const autonomous = {
    0: 'autonomous',
    1: 'autonomous',
    2: 'autonomous',
    3: 'autonomous',
  } as const;
  const rule = (answer: Rule['answer'], when: When): Rule =>
    compileRule({ id: answer, answer, when });

  it.each(['http_api.GET', 'file_io.read', 'web_fetch.GET'])('as %s is asked about', (name) => {
    const operation = { ...paid, tool: name.split('.')[0] ?? '', name };
    const rules = [rule('allow', { tool: ['*'] }), rule('allow', { operation: [name] })];
    const changes = { services, rules, trust: autonomous, isSampled: false };
    expect(decide([operation, {}], changes)).toMatchObject({ kind: 'ask', step: 5 });
    const gates = { write: 'allow', execute: 'allow', spend: 'auto' } as const;
    expect(decide([operation, {}], { ...changes, gates }).kind).toBe('ask');
  });

  it('is denied by a rule of spending, of its price or of its host', () => {
    for (const when of [
      { tier: [3] as (0 | 1 | 2 | 3)[] },
      { cost_usd: { over: 0.01 } },
      { host: ['named.example'] },
    ] satisfies readonly When[]) {
      const rules = [rule('deny', when)];
      expect(decide([paid, {}], { services, rules, costMicroUsd: 20_000 })).toMatchObject({
        kind: 'deny',
        step: 3,
      });
    }
  });

  it('is allowed by a rule that speaks of money', () => {
    const rules = [rule('allow', { cost_usd: { under: 0.05 } })];
    const changes = { services, rules };
    expect(decide([paid, {}], { ...changes, costMicroUsd: 20_000 }).kind).toBe('allow');
    expect(decide([paid, {}], { ...changes, costMicroUsd: 50_000 }).kind).toBe('ask');
    expect(decide([paid, {}], changes).kind).toBe('ask');
  });
});

describe('why a file is asked about', () => {
  const removed = (state: WrittenFileState) => write(state, 'a.md', { isRemoved: true });
  it.each([
    [
      write('other'),
      'It changes a.txt, a file that Capstan did not create. Once allowed, this run may change it again without asking, until you change it.',
    ],
    [write('absent', 'sub/Makefile'), 'It writes sub/Makefile, which is run or obeyed by make.'],
    [
      write('other', 'package.json'),
      'It changes package.json, which is run or obeyed by npm and other JavaScript tools.',
    ],
    [
      write('absent', 'm', { realPath: join(workspace, 'Makefile') }),
      'It writes m, which is run or obeyed by make.',
    ],
    [
      write('written_last_by_capstan', 'tool', { isExecutable: true }),
      'It changes tool, which can be executed.',
    ],
    [write('other', 'a.db', { isDatabase: true }), 'It changes the database a.db.'],
    [removed('other'), 'It removes a.md.'],
    [
      write('other', 'a\nb'),
      'It changes a\\u000ab, a file that Capstan did not create. Once allowed, this run may change it again without asking, until you change it.',
    ],
  ] as const)('is named with the file (%#)', (call, sentence) => {
    expect(decide(call)).toMatchObject({ kind: 'ask', sentence });
  });
});

describe('the question about a file', () => {
  it.each([
    [write('other', 'a.txt'), 'change a.txt'],
    [write('absent', 'sub/Makefile'), 'create sub/Makefile'],
    [write('other', 'a\nb'), 'change a\\u000ab'],
  ] as const)('names what happens to it, on one line (%#)', (call, request) => {
    expect(decide(call)).toMatchObject({ question: `Allow this capsule to ${request}?` });
  });
});

describe('the question about a command with network', () => {
  it('names first what it may send, and where', () => {
    const call = [reaching('shell', 'evil.example'), { isolation: 'A' }] as const;
    expect(decide(call)).toMatchObject({
      question:
        'Allow this capsule to run a shell command that may send what it reads to evil.example: shell?',
    });
  });
});

describe('the order of the steps', () => {
  const rules = (answer: Rule['answer']): readonly Rule[] => [
    { id: answer, answer, why: 'Because.', matches: () => true },
  ];
  const gates = (mode: 'ask' | 'allow' | 'deny') => ({ write: mode, execute: mode, spend: mode });
  /** Each beats all that follow it. */
  const order: readonly (readonly [Partial<ToolCallFacts>, number, string])[] = [
    [{ gates: gates('deny') }, 1, 'gate_deny'],
    [{ hook: { answer: 'ask', hook: 'guard', why: 'Look.' } }, 2, 'hook_ask'],
    [{ rules: rules('deny') }, 3, 'deny'],
    [{ gates: gates('ask') }, 4, 'gate_ask'],
    [{}, 5, 'write_other_file'],
  ];

  it.each(order.map(([, step], at) => [step, at] as const))(
    'has step %i in its place',
    (step, at) => {
      const together = Object.assign(
        {},
        ...order
          .slice(at)
          .map(([changes]) => changes)
          .reverse(),
      );
      expect(decide(write('other'), together)).toMatchObject({ step, rule: order[at]?.[2] });
    },
  );

  it('shows the reason of a rule to people', () => {
    expect(decide(read(), { rules: rules('deny') }).sentence).toBe(
      'The rule "deny" says deny: Because.',
    );
  });
});

describe('step 4, gates', () => {
  const gates = (changes: object) => ({
    gates: { write: 'auto', execute: 'auto', spend: 'auto', ...changes } as ToolCallFacts['gates'],
  });

  it.each<[string, Case, object, string, number]>([
    ['write allows a write', write('other'), { write: 'allow' }, 'allow', 4],
    ['write asks about any write', write('absent'), { write: 'ask' }, 'ask', 4],
    ['write says nothing of a read', read(), { write: 'ask' }, 'allow', 5],
    ['write says nothing of execution', [execute('argv'), {}], { write: 'allow' }, 'ask', 5],
    [
      'write counts for the GET of another host',
      [http('GET', 'other.example'), {}],
      { write: 'ask' },
      'ask',
      4,
    ],
    [
      'write says nothing of a named host',
      [http('GET', 'named.example'), {}],
      { write: 'ask' },
      'allow',
      5,
    ],
    ['execute allows a shell string', [execute('shell'), {}], { execute: 'allow' }, 'allow', 4],
    [
      'execute allows a POST',
      [http('POST', 'other.example'), {}],
      { execute: 'allow' },
      'allow',
      4,
    ],
    ['execute asks', [execute('argv'), {}], { execute: 'ask' }, 'ask', 4],
  ])('%s', (_what, one, changes, kind, step) => {
    expect(decide(one, gates(changes))).toMatchObject({ kind, step });
  });

  it.each<[string, Operation, 'write' | 'execute']>([
    ['a GET', http('GET', 'other.example'), 'write'],
    ['a POST', http('POST', 'other.example'), 'execute'],
    ['a command with network', reaching('argv', 'other.example'), 'execute'],
  ])('that allows decides before %s that may carry files out is asked about', (_, one, gate) => {
    const decided = (mode: object) =>
      decide([one, {}], { hasReadPrivate: true, isolation: 'A', ...gates(mode) });
    expect(decided({})).toMatchObject({ step: 5, rule: 'unnamed_host_after_private_read' });
    expect(decided({ [gate]: 'allow' })).toMatchObject({ kind: 'allow', step: 4 });
  });

  it('allows a read at level A, since nothing can change', () => {
    expect(
      decide([execute('shell'), {}], { ...gates({ execute: 'deny' }), isolation: 'A' }).kind,
    ).toBe('allow');
  });

  it('uses the strictest decision of several tiers', () => {
    const operation = { ...http('POST', 'named.example'), service: 'maps' };
    const services = new Set(['maps']);
    const kind = (changes: object) => decide([operation, {}], { ...gates(changes), services }).kind;
    expect(kind({ execute: 'allow', spend: 'allow' })).toBe('allow');
    expect(kind({ execute: 'allow' })).toBe('ask');
    expect(kind({ execute: 'allow', spend: 'ask' })).toBe('ask');
    expect(kind({ execute: 'allow', spend: 'deny' })).toBe('deny');
  });
});
