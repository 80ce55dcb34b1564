import { describe, expect, it } from 'vitest';
import { parseRules } from './parse-rules.ts';

const parse = (text: string, origin: 'person' | 'project' = 'person') =>
  parseRules({ file: '/c/policy.yaml', origin, text });
const problems = async (text: string, origin: 'person' | 'project' = 'person') =>
  (await parse(text, origin)).problems.map(({ where, problem }) => `${where}: ${problem}`);

const rule = (fields: string) => `rules:\n  - {id: one, answer: deny, ${fields}}\n`;

describe('a rules file', () => {
  it('is read with every field, single values as lists', async () => {
    const { rules, capsuleBudgets, problems } = await parse(`
rules:
  - id: no-keys
    answer: deny
    when: {path: keys/**, tier: 1, cost_usd: {over: 0.5}}
    why: Keys stay where they are.
    match: [{capsule: clerk, tool: file_io, args: {operation: read, path: keys/a}}]
  - {id: tests, answer: allow, when: {tool: terminal, argv: [npm test **, ls]}}
budgets:
  capsules: {"*": {run_usd: 0.5}, clerk: {run_usd: 0.1, day_usd: 2}}
`);
    expect(problems).toEqual([]);
    expect(rules[0]).toEqual({
      id: 'no-keys',
      answer: 'deny',
      when: { path: ['keys/**'], tier: [1], cost_usd: { over: 0.5 } },
      why: 'Keys stay where they are.',
      match: [{ capsule: 'clerk', tool: 'file_io', args: { operation: 'read', path: 'keys/a' } }],
      notMatch: [],
      where: '/c/policy.yaml:3',
    });
    expect(rules[1]?.when).toEqual({ tool: ['terminal'], argv: ['npm test **', 'ls'] });
    expect([...capsuleBudgets]).toEqual([
      ['*', { runMicroUsd: 500_000 }],
      ['clerk', { runMicroUsd: 100_000, dayMicroUsd: 2_000_000 }],
    ]);
  });

  it.each(['', '# nothing yet\n', 'rules: []\n', '{}'])('may be empty: %j', async (text) => {
    expect(await parse(text)).toEqual({ rules: [], capsuleBudgets: new Map(), problems: [] });
  });

  it('of a project marks its rules, and may only deny or ask', async () => {
    const { rules } = await parse(rule('when: {tool: terminal}'), 'project');
    expect(rules[0]?.id).toBe('project:one');
    const text = 'rules:\n  - id: loose\n    answer: allow\n    when: {tool: terminal}\n';
    expect(await problems(text, 'project')).toEqual([
      '/c/policy.yaml:3 rule "loose" answer: "allow": a project may only deny or ask. Write one of these, or move the rule to your own policy.yaml.',
    ]);
  });

  it.each<[string, string, string]>([
    [
      'an unknown field',
      rule('when: {pth: a}'),
      '/c/policy.yaml:2 rule "one" when.pth: there is no such field here. Did you mean path?',
    ],
    [
      'an unknown answer',
      'rules: [{id: a, answer: maybe, when: {tool: x}}]',
      '/c/policy.yaml:1 rule "a" answer: "maybe": write allow, ask or deny.',
    ],
    [
      'a missing id',
      'rules: [{answer: deny, when: {tool: x}}]',
      '/c/policy.yaml:1 rule 1 id: it is missing: write a name that no other rule has.',
    ],
    [
      'no condition',
      rule('when: {}'),
      '/c/policy.yaml:2 rule "one" when: it names no condition, so it would match everything. Write tool: "*" if that is intended.',
    ],
    ...['log-+(a)', 'log-(a|b)'].map((one): [string, string, string] => [
      `a group of a shell in a name (${one})`,
      rule(`when: {capsule: "${one}"}`),
      `/c/policy.yaml:2 rule "one" when.capsule[0]: "${one}": write a name, or a glob of letters, digits, _, - and . such as "file_io.*".`,
    ]),
    [
      'an absolute path',
      rule('when: {path: /etc/passwd}'),
      '/c/policy.yaml:2 rule "one" when.path[0]: "/etc/passwd": write it relative to the workspace, with "/", such as "docs/**".',
    ],
    [
      'a path upwards',
      rule('when: {path: [a, ../b]}'),
      '/c/policy.yaml:2 rule "one" when.path[1]: "../b": write it relative to the workspace, with "/", such as "docs/**".',
    ],
    [
      'a path pattern that would be read character by character',
      rule('when: {path: [a, "key{1..3}"]}'),
      '/c/policy.yaml:2 rule "one" when.path[1]: "key{1..3}": list what {1..3} stands for: "{1,2,3}".',
    ],
    [
      'a URL for a host',
      rule('when: {host: "https://x.org/"}'),
      '/c/policy.yaml:2 rule "one" when.host[0]: "https://x.org/": write a host without scheme and path: "example.com", "*.example.com", "example.com:8443" or "*".',
    ],
    [
      'a short operation',
      rule('when: {operation: read}'),
      '/c/policy.yaml:2 rule "one" when.operation[0]: "read": write it in full, tool and operation: "file_io.read", "*.write", "http_api.*".',
    ],
    [
      '** amid words',
      rule('when: {argv: "a ** b"}'),
      '/c/policy.yaml:2 rule "one" when.argv[0]: "a ** b": write words; "*" is any one word, and "**" may only be last: "npm test **".',
    ],
    [
      'an invalid tier',
      rule('when: {tier: 4}'),
      '/c/policy.yaml:2 rule "one" when.tier[0]: 4: write 0 (read), 1 (write), 2 (execute) or 3 (spend).',
    ],
    [
      'a cost of nothing',
      rule('when: {cost_usd: {}}'),
      '/c/policy.yaml:2 rule "one" when.cost_usd: {}: write over, under or both, in dollars.',
    ],
    [
      'an invalid example',
      rule('when: {tool: x}, match: [hello]'),
      '/c/policy.yaml:2 rule "one" match[0]: "hello": write an intent: {capsule, tool, args}.',
    ],
    [
      'a budget in words',
      'budgets: {capsules: {clerk: {run_usd: much}}}',
      '/c/policy.yaml:1 budgets.capsules.clerk.run_usd: "much": write an amount in dollars, such as 0.05.',
    ],
    [
      'an unknown field at the top',
      'rule: []',
      '/c/policy.yaml:1 rule: there is no such field here. Did you mean rules?',
    ],
    ['a list', '[1]', '/c/policy.yaml:1: [1]: write rules and budgets.'],
  ])('refuses %s, with place, value and fix', async (_what, text, expected) => {
    expect(await problems(text)).toEqual([expected]);
  });

  it('reports all problems together', async () => {
    const text =
      'rules:\n  - {id: a, answer: no, when: {tool: x}}\n  - {id: b c, answer: ask, wen: {}}\n';
    expect((await problems(text)).length).toBe(4);
  });

  it('refuses two rules of one id', async () => {
    const text =
      'rules: [{id: a, answer: ask, when: {tool: x}}, {id: a, answer: ask, when: {tool: y}}]';
    expect(await problems(text)).toEqual([
      '/c/policy.yaml:1 rule "a" id: "a" is the id of an earlier rule. Give it another id.',
    ]);
  });

  it.each([
    ['invalid YAML', 'rules: [', 'not valid YAML'],
    ['a name given twice', 'rules: []\nrules: []\n', 'not valid YAML'],
    [
      'a bomb of aliases',
      `a: &a [${'1,'.repeat(9)}1]\nb: &b [${'*a,'.repeat(9)}*a]\nc: &c [${'*b,'.repeat(9)}*b]\nd: [${'*c,'.repeat(9)}*c]\n`,
      'aliases expand to too much',
    ],
    ['an alias of nothing', 'rules: [*x]', ''],
  ])('refuses %s', async (_what, text, expected) => {
    expect((await problems(text)).join('\n')).toContain(expected);
    expect((await problems(text)).length).toBeGreaterThan(0);
  });

  it('shows what it quotes on one line, without characters that could deceive', async () => {
    const [problem = ''] = await problems(
      'rules: [{id: "a\\u202E\\n", answer: ask, when: {tool: x}}]',
    );
    expect(problem).not.toMatch(/[\n\u202E]/);
  });
});
