import { describe, expect, it } from 'vitest';
import { openOptions } from './open-options.ts';

const rule = (answer: 'allow' | 'ask' | 'deny', ...argv: string[]) => ({
  id: 'one',
  answer,
  when: { tool: ['terminal'], argv },
  where: 'policy.yaml:2',
});

describe('openOptions', () => {
  it('warns that ** after a program allows every option, naming the rule and its place', () => {
    const [warning = ''] = openOptions([rule('allow', 'find **', 'git status', 'git log **')]);
    expect(warning).toContain(
      'policy.yaml:2 rule "one": "find **", "git log **" allows every option',
    );
  });

  it('says nothing of one word, and of rules that deny or ask', () => {
    const rules = [rule('allow', 'npm test *'), rule('deny', 'find **'), rule('ask', 'find **')];
    expect(openOptions(rules)).toEqual([]);
  });
});
