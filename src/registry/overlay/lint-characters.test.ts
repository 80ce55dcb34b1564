import { describe, expect, it } from 'vitest';
import { lintCharacters } from './lint-files.ts';

describe('the characters of an overlay', () => {
  it.each(['Be brief.', '\tÜber 中文 🙂', 'Careful ⚠️', 'Be brief.\r'])('may be %j', (line) => {
    expect(lintCharacters(line, 'skill.md:1')).toEqual([]);
  });

  it.each([
    ['\r', '\\u000d'],
    ['\u001b', '\\u001b'],
    ['\u202e', '\\u202e'],
    ['\u200b', '\\u200b'],
    ['\u2028', '\\u2028'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\u{e0100}', '\\u{e0100}'],
    ['\ud800', '\\ud800'],
    ['\ufe0f', '\\ufe0f'],
  ])('may not be %j', (character, shown) => {
    expect(lintCharacters(`Be ${character}brief.`, 'skill.md:1')).toMatchObject([
      { rule: 'overlay.invisible', severity: 'error', problem: expect.stringContaining(shown) },
    ]);
  });
});
