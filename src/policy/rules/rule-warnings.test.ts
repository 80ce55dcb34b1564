import { describe, expect, it } from 'vitest';
import { openOptions, pathsOfCommands, unknownCapsules } from './rule-warnings.ts';

type Rule = Parameters<typeof pathsOfCommands>[0][number];

const where = 'policy.yaml:2';
const keys: Rule = { id: 'keys', answer: 'deny', when: { path: ['keys/**'] }, where };
const commands = (answer: Rule['answer'], ...tool: string[]): Rule => ({
  id: 'commands',
  answer,
  when: { tool },
  where,
});

const TOOLS = ['terminal', 'python_exec'];

describe('pathsOfCommands', () => {
  it('warns that a program can open a denied path, and names what protects it', () => {
    const [warning = ''] = pathsOfCommands([keys], TOOLS, 'auto');
    expect(warning).toContain('policy.yaml:2 rule "keys": a program that terminal or python_exec');
    expect(warning).toContain('"keys/**"');
    expect(warning).toContain('deny or ask tool: [terminal, python_exec]');
  });

  it.each([
    ['another rule denies commands', [keys, commands('deny', 'terminal', 'python_exec')], 'auto'],
    [
      'two rules ask about them',
      [keys, commands('ask', 'term*'), commands('ask', 'python_exec')],
      'auto',
    ],
    ['the gate asks about every command', [keys], 'ask'],
    ['the gate denies commands', [keys], 'deny'],
    ['the path is only asked about', [{ ...keys, answer: 'ask' }], 'auto'],
  ] as const)('says nothing where %s', (_where, rules, gate) => {
    expect(pathsOfCommands(rules, TOOLS, gate)).toEqual([]);
  });

  it.each([
    ['allows commands', commands('allow', '*')],
    ['denies some commands', { ...commands('deny', '*'), when: { argv: ['rm **'] } }],
  ])('warns if another rule %s', (_what, other) => {
    expect(pathsOfCommands([keys, other], TOOLS, 'auto')).toHaveLength(1);
  });

  it('names the tool that is still open', () => {
    const [warning = ''] = pathsOfCommands([keys, commands('deny', 'terminal')], TOOLS, 'allow');
    expect(warning).toContain('a program that python_exec runs');
  });
});

it('a rule about a capsule that does not exist is warned about, a glob and another case are not', () => {
  const about = (answer: Rule['answer'], ...capsule: string[]): Rule => ({
    ...{ id: 'one', answer, when: { capsule }, where },
  });
  const known = () => ['file-clerk', 'summarizer'];
  expect(unknownCapsules([about('deny', 'file-clrek', 'summarizer')], known)).toEqual([
    {
      problem:
        'policy.yaml:2 rule "one": there is no capsule "file-clrek", so the name matches nothing. Did you mean file-clerk?',
      isMisspelled: true,
    },
  ]);
  expect(unknownCapsules([about('deny', 'log-*', 'File-Clerk', 'coordinator')], known)).toEqual([]);
  expect(unknownCapsules([about('allow', 'File-Clerk')], known)).toHaveLength(1);
  expect(unknownCapsules([about('deny', 'invoices')], known)).toMatchObject([
    { isMisspelled: false },
  ]);
});

const commandRule = (answer: 'allow' | 'ask' | 'deny', ...argv: string[]) => ({
  id: 'one',
  answer,
  when: { tool: ['terminal'], argv },
  where: 'policy.yaml:2',
});

describe('openOptions', () => {
  it('warns that ** after a program allows every option, naming the rule and its place', () => {
    const [warning = ''] = openOptions([
      commandRule('allow', 'find **', 'git status', 'git log **'),
    ]);
    expect(warning).toContain(
      'policy.yaml:2 rule "one": "find **", "git log **" allows every option',
    );
  });

  it('warns that a pattern begins with any program, listing only such patterns', () => {
    expect(openOptions([commandRule('allow', '* --version', 'ls *', 'npm test **')])).toEqual([
      expect.stringContaining('rule "one": "npm test **" allows every option'),
      expect.stringContaining('rule "one": "* --version" allows every program'),
    ]);
  });

  it('does not warn about one word, or about rules that deny or ask', () => {
    const rules = [
      commandRule('allow', 'npm test *'),
      commandRule('deny', 'find **'),
      commandRule('ask', 'find **'),
    ];
    expect(openOptions(rules)).toEqual([]);
  });
});
