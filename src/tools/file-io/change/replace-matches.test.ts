import { describe, expect, it } from 'vitest';
import { replaceMatches } from './replace-matches.ts';

const MIB = 1024 * 1024;
const long = `${'a\n'.repeat(20_000)}${'😀'.repeat(20_001)}`;

describe.each([
  ['letters', 'abc😀def\nxyz\n'],
  ['nothing', ''],
  ['pairs of surrogates', '😀😀'],
  ['more than is held at once', long],
])('the matches in %s are replaced as by String.replace', (_, text) => {
  it.each(['(.)$', '.', '(?:)', '(?<n>[a-z])(X)?', '\\n', 'x*', '(a)|(b)'])('%s', (source) => {
    const matcher = new RegExp(source, 'gm');
    for (const to of ['$2$1', '$$', '[$&]', '$<n>', '$<q', '$10', '$01', '$0', '$3', '', '😀']) {
      const replaced = replaceMatches(text, matcher, to, 4 * MIB);
      // A lone surrogate becomes U+FFFD in both.
      const expected = Buffer.from(text.replace(matcher, to));
      expect(replaced?.content.equals(expected), to).toBe(true);
    }
  });
});

it('the text around a match is inserted', () => {
  const replaced = replaceMatches('aXbXc', /X/g, "<$`|$'>", MIB);
  expect(replaced).toMatchObject({ count: 2 });
  expect(replaced?.content.toString()).toBe('aXbXc'.replace(/X/g, "<$`|$'>"));
});

it('returns null for a result over the limit in bytes', () => {
  expect(replaceMatches('éé', /é/g, 'öö', 8)?.content).toHaveLength(8);
  expect(replaceMatches('éé', /é/g, 'öö', 7)).toBeUndefined();
  expect(replaceMatches(long, /\n/g, '$`', MIB)).toBeUndefined();
});
