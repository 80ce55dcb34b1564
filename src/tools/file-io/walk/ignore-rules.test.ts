import fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, it } from 'vitest';
import { FUZZ_TIMEOUT_MS, fuzz } from '../../../../test/fuzz/fuzz.ts';
import { compileIgnoreRules, ignoreLines } from './ignore-rules.ts';

describe('the rules of an ignore file', () => {
  it.each([
    ['dist', 'a/dist', false, 'ignored'],
    ['dist/', 'dist', false, undefined],
    ['dist/', 'a/dist', true, 'ignored'],
    ['/dist', 'a/dist', true, undefined],
    ['a/*.log', 'b/a/x.log', false, undefined],
    ['*.log\n!keep.log', 'a/keep.log', false, 'kept'],
    ['!keep.log\n*.log', 'keep.log', false, 'ignored'],
    ['a/**', 'a', true, undefined],
    ['a/**', 'a/b/c', false, 'ignored'],
    ['# dist', '# dist', false, undefined],
    ['\\#dist', '#dist', false, 'ignored'],
    ['app/(group)/{x}', 'app/(group)/{x}', false, 'ignored'],
    ['DIST  \r', 'dist', false, 'ignored'],
    ['a\\ ', 'a ', false, 'ignored'],
    ['file\\(1\\).txt', 'file(1).txt', false, 'ignored'],
    ['a\\{b\\}', 'a{b}', false, 'ignored'],
    ['a[[:digit:]_[:upper:]]', 'a7', false, 'ignored'],
    ['a[[:digit:]_[:upper:]]', 'a_', false, 'ignored'],
    ['a[![:digit:]]', 'a7', false, undefined],
    ['a[[:punct:]]', 'a{', false, 'ignored'],
    ['a[[:punct:]]', 'a7', false, undefined],
    [' a\n', ' a', false, 'ignored'],
    [' a\n', 'a', false, undefined],
    ['\uFEFFa', 'a', false, 'ignored'],
    ['a\n!a\na', 'a', false, 'ignored'],
  ])('%j say of %s (a folder: %s): %s', (text, path, isFolder, answer) => {
    expect(compileIgnoreRules(ignoreLines(text))(path, isFolder)).toBe(answer);
  });

  it(
    'agree with the package `ignore`, for a path whose folders are not ignored',
    () => {
      const name = fc.array(fc.constantFrom('a', 'b', '*', '.x', '?', '(b)'), {
        minLength: 1,
        maxLength: 3,
      });
      const rule = fc
        .tuple(
          fc.constantFrom('', '!', '/'),
          fc.array(
            fc.oneof(
              name.map((all) => all.join('')),
              fc.constant('**'),
            ),
            { minLength: 1, maxLength: 3 },
          ),
          fc.constantFrom('', '/'),
        )
        .map(([start, names, end]) => start + names.join('/') + end)
        .filter((line) => !/[^/!]\*\*|\*\*[^/]|^!?\/?\*\*\/?$/.test(line));
      const path = fc
        .array(fc.constantFrom('a', 'b', 'ab', 'A.x', '(b)'), { minLength: 1, maxLength: 3 })
        .map((all) => all.join('/'));
      fc.assert(
        fc.property(
          fc.array(rule, { maxLength: 3 }),
          path,
          fc.boolean(),
          (lines, asked, isFolder) => {
            const known = ignore().add(lines);
            const parts = asked.split('/');
            const above = parts.slice(0, -1).map((_, at) => `${parts.slice(0, at + 1).join('/')}/`);
            fc.pre(
              !above.some((folder) => known.test(folder).ignored || known.test(folder).unignored),
            );
            const { ignored, unignored } = known.test(isFolder ? `${asked}/` : asked);
            const wanted = ignored ? 'ignored' : unignored ? 'kept' : undefined;
            const own = compileIgnoreRules(lines)(asked, isFolder);
            expect(own === 'ignored').toBe(wanted === 'ignored');
          },
        ),
        fuzz(2_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it('answer immediately for hostile rules and paths', () => {
    const test = compileIgnoreRules(Array(20).fill('**/*a*/**/*a*/**/*a*/**/c'));
    expect(test(`${'aa/'.repeat(1_300)}b`, false)).toBeUndefined();
  });
});
