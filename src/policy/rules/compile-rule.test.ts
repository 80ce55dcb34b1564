import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../contract/permissions/operation.ts';
import type { ToolCallFacts } from '../decide/tool-call-facts.ts';
import { compileRule } from './compile-rule.ts';
import { parseRules } from './parse-rules.ts';
import { keptBackBy, ruleCallOf, ruleCallOfChat } from './rule-call.ts';

const workspace = '/home/ada/work';
const facts = (changes: Partial<ToolCallFacts> = {}): ToolCallFacts => ({
  grant: {},
  workspace,
  paths: [],
  namedHosts: new Set(['named.example']),
  hasReadPrivate: false,
  holdsSecret: false,
  isolation: 'none',
  gates: { write: 'auto', execute: 'auto', spend: 'auto' },
  capsuleId: 'clerk',
  ...changes,
});

type Call = readonly [Operation, Partial<ToolCallFacts>];

const file = (path: string, real = path, subtree = false): Call => [
  {
    tool: 'file_io',
    name: 'file_io.read',
    tier: 0,
    repeatability: 'pure',
    paths: [{ path, access: 'read', subtree }],
    target: path,
  },
  { paths: [{ path, access: 'read', realPath: join(workspace, real), isProtected: false }] },
];
const tree = (path: string): Call => file(path, path, true);
const get = (url: string, more: Partial<Operation> = {}): Call => [
  {
    tool: 'web_fetch',
    name: 'web_fetch.GET',
    tier: 0,
    repeatability: 'pure',
    paths: [],
    url: new URL(url),
    target: url,
    ...more,
  },
  {},
];
const run = (argv: readonly string[], cwd = '.'): Call => [
  {
    tool: 'terminal',
    name: 'terminal.read',
    tier: 2,
    repeatability: 'pure',
    paths: [],
    target: '',
    command: { kind: 'argv', argv, access: 'read', cwd },
  },
  {},
];
const reaching = (argv: readonly string[], ...hosts: readonly string[]): Call => [
  { ...run(argv)[0], network: hosts.map((host) => new URL(`https://${host}`)) },
  {},
];
const shell = (text: string, cwd = '.'): Call => [
  { ...run([])[0], command: { kind: 'shell', text, access: 'read', cwd } },
  {},
];

async function ruleOf(answer: 'allow' | 'ask' | 'deny', when: string) {
  const { rules, problems } = await parseRules({
    file: 'f',
    origin: 'person',
    text: `rules: [{id: r, answer: ${answer}, when: {${when}}}]`,
  });
  expect(problems).toEqual([]);
  const [rule] = rules;
  if (!rule) throw new Error('no rule');
  return compileRule(rule);
}
const matches = async (
  answer: 'allow' | 'ask' | 'deny',
  when: string,
  [operation, known]: Call,
  changes: Partial<ToolCallFacts> = {},
) => (await ruleOf(answer, when)).matches(ruleCallOf(operation, facts({ ...known, ...changes })));

describe('a rule', () => {
  it.each<[string, string, Call, boolean]>([
    ['the tool', 'tool: file_io', file('a'), true],
    ['another tool', 'tool: terminal', file('a'), false],
    ['one tool of several', 'tool: [terminal, file_io]', file('a'), true],
    ['a glob of operations', 'operation: "file_io.*"', file('a'), true],
    ['an operation', 'operation: file_io.write', file('a'), false],
    ['an operation of any tool', 'operation: "*.read"', file('a'), true],
    ['the capsule', 'capsule: clerk', file('a'), true],
    ['another capsule', 'capsule: "log-*"', file('a'), false],
    ['a path', 'path: docs/**', file('docs/a.md'), true],
    ['another path', 'path: docs/**', file('src/a.md'), false],
    ['a dotfile', 'path: "**/*.md"', file('docs/.a.md'), true],
    ['a tier', 'tier: 0', file('a'), true],
    ['another tier', 'tier: [1, 2]', file('a'), false],
    ['a host', 'host: example.com', get('https://example.com/x'), true],
    ['a name below a host', 'host: "*.example.com"', get('https://a.b.example.com/'), true],
    ['a name that only ends alike', 'host: "*.example.com"', get('https://badexample.com/'), false],
    ['any host', 'host: "*"', get('http://x.org:81/'), true],
    ['words', 'argv: git log **', run(['git', 'log', '-p']), true],
    ['other words', 'argv: git log **', run(['git', 'push']), false],
    ['one word', 'argv: git log *', run(['git', 'log', 'main']), true],
    ['a rule of words for a file', 'argv: "**"', file('a'), false],
    ['a host of a command', 'host: example.com', reaching(['x'], 'y.org', 'example.com'), true],
    ['a rule of hosts for a file', 'host: "*"', file('a'), false],
  ])('looks at %s', async (_what, when, call, expected) => {
    expect(await matches('deny', when, call)).toBe(expected);
    expect(await matches('ask', when, call)).toBe(expected);
  });

  it('wants all of its conditions', async () => {
    expect(await matches('deny', 'tool: file_io, path: docs/**', file('docs/a'))).toBe(true);
    expect(await matches('deny', 'tool: file_io, path: docs/**', file('a'))).toBe(false);
    expect(await matches('deny', 'tool: terminal, path: docs/**', file('docs/a'))).toBe(false);
  });
});

describe('a deny or an ask', () => {
  it.each<[string, string, Call]>([
    ['a link that leads there', 'path: keys/**', file('docs/a', 'keys/a')],
    ['a link that stands there', 'path: keys/**', file('keys/a', 'docs/a')],
    ['dots on the way', 'path: keys/**', file('./docs/../keys/a', 'keys/a')],
    ['an absolute path', 'path: keys/**', file(`${workspace}/keys/a`, 'keys/a')],
    ['letters in another case', 'path: keys/**', file('KEYS/A')],
    ['an accent in another form', 'path: "caf\u00e9/**"', file('cafe\u0301/a')],
    ['the folder itself', 'path: keys/**', file('keys')],
    ['a search above it', 'path: keys/**', tree('.')],
    ['a search in it', 'path: keys/*.pem', tree('keys')],
    ['a search where it may lie', 'path: "**/*.pem"', tree('docs')],
    ['a word of a command', 'path: keys/**', run(['cat', './docs/../keys/a'])],
    ['a program', 'path: keys/**', run(['keys/a'])],
    ['a value of an option', 'path: keys/**', run(['cat', '--file=keys/a'])],
    ['an absolute word', 'path: keys/**', run(['cat', `${workspace}/keys/a`])],
    ['a word from another folder', 'path: keys/**', run(['cat', 'a'], 'keys')],
    ['a word of a shell string', 'path: keys/**', shell('ls; cat <"keys"/a|wc')],
  ])('of a path covers %s', async (_what, when, call) => {
    expect(await matches('deny', when, call)).toBe(true);
    expect(await matches('ask', when, call)).toBe(true);
  });

  it("of a path ignores a search that can't reach it", async () => {
    expect(await matches('deny', 'path: keys/**', tree('docs'))).toBe(false);
    expect(await matches('deny', 'path: keys/**', tree('key'))).toBe(false);
  });

  it('of a path ignores a search whose tool leaves out the protected files', async () => {
    const call = tree('.');
    expect(await matches('deny', 'path: keys/**', call, { isTreeFiltered: true })).toBe(false);
    expect(await matches('deny', 'path: keys/**', tree('keys'), { isTreeFiltered: true })).toBe(
      true,
    );
    const rules = [await ruleOf('deny', 'path: keys/**'), await ruleOf('allow', 'tool: "*"')];
    const isKept = keptBackBy(call[0], facts({ ...call[1], rules, isTreeFiltered: true }));
    expect(['keys/a', 'keys', 'docs/a'].map((path) => isKept(join(workspace, path)))).toEqual([
      true,
      true,
      false,
    ]);
    expect(keptBackBy(call[0], facts({ rules: 'unreadable' }))(workspace)).toBe(true);
    expect(keptBackBy(call[0], facts())(workspace)).toBe(false);
  });

  it('of a path is applied to the call itself, not to the files that the call finds', async () => {
    const rules = [await ruleOf('ask', 'path: keys/**')];
    const isKept = ([operation, known]: Call, path: string) =>
      keptBackBy(
        operation,
        facts({ ...known, rules, isTreeFiltered: true }),
      )(join(workspace, path));
    expect(isKept(file('keys/a'), 'keys/a')).toBe(false);
    expect(isKept(tree('keys'), 'keys/a')).toBe(false);
    expect(isKept(tree('.'), 'keys/a')).toBe(true);
    expect(isKept(file('docs/a'), 'keys/a')).toBe(true);
    expect(isKept(file('docs/a'), 'docs/a')).toBe(false);
  });

  it.each<[string, string, string]>([
    ['a host in capitals', 'host: example.com', 'https://EXAMPLE.COM/'],
    ['a trailing dot', 'host: example.com', 'https://example.com./'],
    ['a trailing dot in the rule', 'host: example.com.', 'https://example.com/'],
    ['capitals in the rule', 'host: Example.COM', 'https://example.com/'],
    ['another port', 'host: example.com', 'https://example.com:8443/'],
    ['the usual port by number', 'host: "example.com:443"', 'https://example.com/'],
    ['letters of other scripts', 'host: bücher.example', 'https://xn--bcher-kva.example/'],
    ['Punycode in the rule', 'host: xn--bcher-kva.example', 'https://BÜCHER.example/'],
    ['full-width letters', 'host: example.com', 'https://ｅxample.com/'],
    ['a percent sign', 'host: example.com', 'https://ex%61mple.com/'],
    ['an address as one number', 'host: 127.0.0.1', 'http://2130706433/'],
    ['an address in octal', 'host: 127.0.0.1', 'http://0177.1/'],
    ['an address in IPv6', 'host: 127.0.0.1', 'http://[::ffff:127.0.0.1]/'],
    ['IPv6 in full', 'host: "[::1]"', 'http://[0:0:0:0:0:0:0:1]/'],
    ['a port of its own below a name', 'host: "*.example.com"', 'https://a.example.com.:99/'],
  ])('of a host covers %s', async (_what, when, url) => {
    expect(await matches('deny', when, get(url))).toBe(true);
  });

  it.each<[string, string, Call]>([
    ['a path to the program', 'argv: rm **', run(['/bin/rm', '-r', 'x'])],
    ['an option in place of a word', 'argv: rm *', run(['rm', '-rf'])],
    ['env', 'argv: rm **', run(['env', 'A=1', '-i', 'rm', 'x'])],
    ['a shell of its own', 'argv: rm **', run(['bash', '-lc', 'cd x && rm -r .'])],
    ['a shell behind a starter', 'argv: rm **', run(['timeout', '5', 'sh', '-c', 'rm x'])],
    ['a shell string', 'argv: rm **', shell('ls | xargs rm -f')],
    ['quotes', 'argv: rm **', shell('"r"m x')],
    ['a backslash', 'argv: rm **', shell('\\rm x')],
    ['an assignment before it', 'argv: rm **', shell('A=1 rm x')],
    ['a substitution', 'argv: rm **', shell('echo $(rm x)')],
    ['words as they are', 'argv: /bin/rm **', run(['/bin/rm', 'x'])],
  ])('of words covers %s', async (_what, when, call) => {
    expect(await matches('deny', when, call)).toBe(true);
  });

  it('of words takes no more time for a shell string of any length', async () => {
    const nested = Array.from({ length: 10 }, () => 'env').join(' ');
    expect(await matches('deny', 'argv: rm **', shell(`${nested} `.repeat(10_000)))).toBe(false);
    expect(
      await matches('deny', 'argv: rm **', run(Array.from({ length: 5_000 }, () => 'env'))),
    ).toBe(false);
  });

  it.each<[string, string, boolean]>([
    ['more than the limit', '{over: 0.01}', true],
    ['less than the limit', '{under: 0.01}', false],
    ['between two limits', '{over: 0.01, under: 0.03}', true],
    ['as much as the limit', '{over: 0.02}', false],
  ])('looks at a cost of %s', async (_what, cost, expected) => {
    const call = ruleCallOfChat({ capsuleId: 'clerk', origin: undefined, costMicroUsd: 20_000 });
    const rule = await ruleOf('deny', `cost_usd: ${cost}`);
    expect(rule.matches(call)).toBe(expected);
    expect(rule.matches({ ...call, costMicroUsd: undefined })).toBe(true);
  });
});

describe('an allow', () => {
  it.each<[string, string, Call]>([
    ['a link that stands there and leads elsewhere', 'path: docs/**', file('docs/a', 'keys/a')],
    ['letters in another case', 'path: docs/**', file('DOCS/a')],
    ['a search beyond it', 'path: "docs/*"', tree('docs')],
    ['a command in the folder', 'path: docs/**', run(['ls'], 'docs')],
    ['another port', 'host: example.com', get('https://example.com:8443/')],
    ['a shell string of the same words', 'argv: ls **', shell('ls')],
    ['an option in place of a word', 'argv: git log *', run(['git', 'log', '--output=x'])],
    ['another option', 'argv: sort -r *', run(['sort', '-r', '-ox'])],
    ['a path to the program', 'argv: ls **', run(['/tmp/ls'])],
    ['a command with network', 'argv: npm ci', reaching(['npm', 'ci'], 'example.com')],
    [
      'a command with one more host',
      'argv: npm ci, host: example.com',
      reaching(['npm', 'ci'], 'example.com', 'evil.example'),
    ],
    ['one of two tiers', 'tier: 2', get('https://x.org/', { tier: 2, service: 'maps' })],
    ['a paid call, by its tool', 'tool: web_fetch', get('https://x.org/', { service: 'maps' })],
    ['a paid call, by its host', 'host: x.org', get('https://x.org/', { service: 'maps' })],
    ['a paid call, by everything', 'tool: "*"', get('https://x.org/', { service: 'maps' })],
  ])('does not cover %s', async (_what, when, call) => {
    expect(await matches('allow', when, call)).toBe(false);
  });

  it.each<[string, string, Call]>([
    ['a link that leads there', 'path: docs/**', file('a', 'docs/a')],
    ['a search in it', 'path: docs/**', tree('docs')],
    ['the same words', 'argv: ls **', run(['ls', '-l'])],
    [
      'a command and its hosts',
      'argv: npm ci, host: "*.example.com"',
      reaching(['npm', 'ci'], 'a.example.com', 'b.example.com'),
    ],
    ['the standard input in place of a word', 'argv: cat *', run(['cat', '-'])],
    ['the words in a folder', 'path: docs/**, argv: ls', run(['ls'], 'docs')],
    ['every tier', 'tier: [1, 3]', get('https://x.org/', { service: 'maps' })],
  ])('covers %s', async (_what, when, call) => {
    expect(await matches('allow', when, call)).toBe(true);
  });

  it('of a limit covers a cost that is known', async () => {
    const rule = await ruleOf('allow', 'cost_usd: {under: 0.03}');
    const call = { capsuleId: 'clerk', origin: 'https://api.openai.com/v1' };
    const of = (costMicroUsd: number | undefined) =>
      rule.matches(ruleCallOfChat({ ...call, costMicroUsd }));
    expect([20_000, 30_000, undefined].map(of)).toEqual([true, false, false]);
  });

  it('of a tool does not cover model calls, unless it names them', async () => {
    const call = ruleCallOfChat({
      capsuleId: 'c',
      origin: 'https://api.openai.com',
      costMicroUsd: 1,
    });
    expect((await ruleOf('allow', 'tool: "*"')).matches(call)).toBe(false);
    expect((await ruleOf('allow', 'tool: chat')).matches(call)).toBe(true);
    expect((await ruleOf('allow', 'host: api.openai.com, tier: 3')).matches(call)).toBe(true);
    expect((await ruleOf('deny', 'host: api.openai.com')).matches(call)).toBe(true);
  });
});

describe('a deny of a path', () => {
  /** The same numbers each time. */
  function* dice(): Generator<number, never> {
    for (let seed = 7; ; seed = (seed * 48_271) % 2_147_483_647) yield seed;
  }
  const roll = dice();
  const pick = <T>(from: readonly T[]): T => from[roll.next().value % from.length] as T;

  /** Ways to write one path, as a capsule might try them. */
  function respell(path: string): string {
    let spelled = path;
    for (let turn = 0; turn < 6; turn++) {
      const parts = spelled.split('/');
      const at = roll.next().value % parts.length;
      spelled = pick([
        () => parts.with(at, `./${parts[at]}`).join('/'),
        () => parts.with(at, `x/../${parts[at]}`).join('/'),
        () => parts.with(at, `/${parts[at]}`).join('/').replace(/^\//, ''),
        () => parts.with(at, pick([parts[at]?.toUpperCase() ?? '', parts[at] ?? ''])).join('/'),
        () => `docs/../${spelled}`,
        () => `./${spelled}`,
      ])();
    }
    return pick([spelled, `${workspace}/${spelled}`, `../work/${spelled}`]);
  }

  it('covers any spelling of it, in file calls and in words of commands', async () => {
    const rule = await ruleOf('deny', 'path: "keys/**"');
    for (let turn = 0; turn < 2_000; turn++) {
      const spelled = respell('keys/deep/a.pem');
      const [operation, known] = file(spelled, 'elsewhere/a.pem');
      const calls = [[operation, known], run(['cat', spelled]), shell(`cat "${spelled}"`)] as const;
      for (const [one, about] of calls) {
        expect(rule.matches(ruleCallOf(one, facts(about))), spelled).toBe(true);
      }
    }
  });
});
