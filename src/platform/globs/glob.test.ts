import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { FUZZ_TIMEOUT_MS, fuzz } from '../../../test/fuzz/fuzz.ts';
import { compileGlob, globBase } from './glob.ts';
import { globProblem } from './glob-tokens.ts';

describe('a glob', () => {
  it.each([
    ['*.md', 'a.md', true],
    ['*.md', '.md', true],
    ['*.md', 'a/b.md', false],
    ['**/*.md', 'a.md', true],
    ['**/*.md', 'a/b/c.md', true],
    ['src/**', 'src', true],
    ['src/**', 'src/a/b', true],
    ['src/**', 'srca/b', false],
    ['src/**/b', 'src/b', true],
    ['src/**/b', 'src/a/c/b', true],
    ['src/*/b', 'src/b', false],
    ['{a,b/c}.ts', 'b/c.ts', true],
    ['{a}.ts', '{a}.ts', true],
    ['{a,{b}}.ts', '{b}.ts', true],
    ['{,{}}*', 'b', true],
    ['a[0-9]?', 'a7x', true],
    ['a[!0-9]', 'a7', false],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['app/(shop)/*.tsx', 'app/(shop)/page.tsx', true],
    ['a(1).md', 'a1.md', false],
    ['+(a|b).ts', 'a.ts', false],
    ['{a,b|c}', 'b|c', true],
    ['**', '../a', false],
    ['*', '.', false],
    ['[', '[', true],
    ['a(', 'a(', true],
  ])('%s says of %s: %s', (glob, path, answer) => {
    expect(compileGlob(glob)(path)).toBe(answer);
  });

  it.each([
    ['[*-a]x', 'bX', true],
    ['[A-z]x', '_x', true],
    ['[!A-C]x', 'bx', false],
    ['{KEY,[B-D]}', 'c', true],
    ['[b-d]', 'E', false],
  ])('%s, without case, says of %s: %s', (glob, path, answer) => {
    expect(compileGlob(glob, true)(path)).toBe(answer);
  });

  it.each([
    ['key{1..3}', /\{1\.\.3\}/],
    ['a[[:digit:]]', /\[:digit:\]/],
    ['a[z-b]', /"z-b"/],
    ['a[Z-b]', /"z-b"/],
    ['!(a)/b', /write "\{a,b\}" or several patterns/],
    ['+(a|b)', /or "\\\(" for the character/],
    ['*(a)', /several patterns/],
    ['src/(a|b)', /several patterns/],
    [`${'{a,'.repeat(30)}b${'}'.repeat(30)}`, /at most 20/],
    ['a/{b,c', /close "\{"/],
    ['a/[b', /close "\["/],
  ])('%s has a problem, reported with what to write', (glob, problem) => {
    expect(globProblem(glob)).toMatch(problem);
  });

  it.each([
    'src/**',
    '{a}.ts',
    'app/(shop)/page.tsx',
    '+\\(a|b\\)',
    'a\\[b',
    'a\\{1..3\\}',
    'x[]a]',
    '[A-Za-z_]*',
    'a..b/{c..d,e}',
  ])('%s has none', (glob) => {
    expect(globProblem(glob)).toBeUndefined();
  });

  it.each([
    ['src', 'src'],
    ['src/a.ts', 'src/a.ts'],
    ['src/**', 'src'],
    ['src/a/*.ts', 'src/a'],
    ['src/a*/b', 'src'],
    ['src/{a,b}/c', 'src'],
    ['src/\\*/c', 'src/*/c'],
    ['src/**/a', 'src'],
    ['*.ts', ''],
    ['**', ''],
    ['{src,docs}/**', ''],
  ])('%s lies in "%s"', (glob, base) => {
    expect(globBase(glob)).toBe(base);
  });

  it(
    'agrees with picomatch',
    () => {
      const part = fc.constantFrom('a', 'b', 'A', '.', '*', '?', '[ab]', '{a,b}', '{a,*b}', 'é');
      const segment = fc.oneof(
        {
          weight: 4,
          arbitrary: fc.array(part, { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
        },
        { weight: 1, arbitrary: fc.constant('**') },
      );
      const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'));
      const name = fc.array(fc.constantFrom('a', 'b', 'B', '.', 'c', 'é'), {
        minLength: 1,
        maxLength: 4,
      });
      const path = fc
        .array(
          name.map((all) => all.join('')),
          { minLength: 1, maxLength: 4 },
        )
        .map((all) => all.join('/'));
      fc.assert(
        fc.property(glob, path, fc.boolean(), (written, asked, nocase) => {
          fc.pre(!/(^|[^/])\*\*|\*\*[^/]/.test(written.replaceAll(/(^|\/)\*\*(?=\/|$)/g, '$1')));
          // picomatch has its own rules for a dot at the end of a name, and for a single dot.
          fc.pre(!/\.(\/|$)/.test(asked));
          const wanted = picomatch(written, { dot: true, nonegate: true, nocase })(asked);
          expect(compileGlob(written, nocase)(asked)).toBe(wanted);
        }),
        fuzz(4_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'takes time proportional to its input, even for hostile patterns',
    () => {
      const bad = fc
        .tuple(
          fc.constantFrom('*a', '{a,aa}', '**/', '[a]*', '{*a,a*}', '{a,{aa,*}}'),
          fc.integer({ min: 1, max: 60 }),
        )
        .map(([one, times]) => `${one.repeat(times)}c`);
      fc.assert(
        fc.property(bad, fc.constantFrom('a', 'a/'), (glob, one) => {
          expect(compileGlob(glob)(one.repeat(120))).toBe(false);
        }),
        fuzz(60),
      );
    },
    FUZZ_TIMEOUT_MS,
  );
});
