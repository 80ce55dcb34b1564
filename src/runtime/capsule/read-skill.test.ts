import { describe, expect, it } from 'vitest';
import { readSkill, skillTools } from './read-skill.ts';

const skills = [
  {
    id: 'git',
    sections: [
      { heading: 'Reading history', text: 'Use a limit.' },
      { heading: 'Committing', text: 'Add files by name.' },
    ],
  },
  { id: 'long', sections: [{ heading: 'All', text: 'x'.repeat(40_000) }] },
];

describe('read_skill', () => {
  it.each([
    [{ skill: 'git', section: 'Committing' }, '## Committing\n\nAdd files by name.'],
    [{ skill: 'git', section: '## reading HISTORY' }, '## Reading history\n\nUse a limit.'],
    [{ skill: 'git', section: 'commit' }, '## Committing\n\nAdd files by name.'],
    [{ skill: 'git' }, '## Reading history\n\nUse a limit.\n\n## Committing\n\nAdd files by name.'],
    [
      { skill: 'git', section: 'merging' },
      '"git" has no section "merging". It has: Reading history; Committing.',
    ],
    [{ skill: 'got' }, 'There is no skill "got". There are: git, long.'],
    [{}, 'There is no skill "undefined". There are: git, long.'],
  ])('answers %j', (args, text) => {
    expect(readSkill({ skills }, args)).toBe(text);
  });

  it('bounds its answer and names the sections', () => {
    const text = readSkill({ skills }, { skill: 'long' });
    expect(text.length).toBeLessThan(16_200);
    expect(text).toContain('[cut: 16000 of 40008 characters. Sections: All]');
  });

  it('is offered only if there is something to read', () => {
    expect(skillTools({ skills }).map(({ name }) => name)).toEqual(['read_skill']);
    expect(skillTools({ skills: [] })).toEqual([]);
    expect(skillTools({})).toEqual([]);
  });
});
