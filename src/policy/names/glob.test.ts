import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { FUZZ_TIMEOUT_MS, fuzz } from '../../../test/fuzz/fuzz.ts';
import { unclearNames } from '../rules/rule-warnings.ts';
import { nameGlob } from './glob.ts';

const rule = (answer: 'allow' | 'ask' | 'deny', capsule: string) => ({
  ...{ id: 'one', answer, when: { capsule: [capsule] }, where: 'policy.yaml:2' },
});

describe('names in a rule', () => {
  it.each([
    ['file_*', 'file_io', true],
    ['file_io.{read,list}', 'file_io.list', true],
    ['file_io.{read,list}', 'file_io.write', false],
    ['log-?', 'log-1', true],
    ['log-[0-9]', 'log-a', false],
    ['**', 'file_io.read', true],
  ])('%s says of %s: %s', (pattern, name, answer) => {
    expect(nameGlob([pattern], false)(name)).toBe(answer);
    expect(nameGlob(['nobody', pattern], true)(name)).toBe(answer);
  });

  it('are compared case-insensitively by a deny only', () => {
    expect(nameGlob(['Clerk'], true)('clerk')).toBe(true);
    expect(nameGlob(['Clerk'], false)('clerk')).toBe(false);
  });

  it.each(['log-{1..3}', 'log-{a,{b}', 'log-[z-b]', 'log-{a,b', 'log-[a', 'log-***-x'])(
    'that are ambiguous (%s) allow nothing, deny every name with the same beginning, and are reported',
    (pattern) => {
      for (const name of ['log-1', 'log-a', 'log-b-x', pattern]) {
        expect(nameGlob([pattern], false)(name)).toBe(false);
        expect(nameGlob([pattern], true)(name)).toBe(true);
      }
      expect(nameGlob([pattern], true)('other')).toBe(false);
      const [allowing = '', denying = ''] = unclearNames([
        rule('allow', pattern),
        rule('deny', pattern),
      ]);
      expect(allowing).toContain(`policy.yaml:2 rule "one": capsule "${pattern}"`);
      expect(allowing).toMatch(/allows nothing.* (close|list|write)/);
      expect(denying).toMatch(/is read as "log-\*".* (close|list|write)/);
    },
  );

  it('that have one reading are not reported', () => {
    const rules = ['clerk', '*', '**', 'log-{a,b}', 'log-[0-9]?'].map((one) => rule('deny', one));
    expect(unclearNames(rules)).toEqual([]);
  });

  it(
    'mean to an allow nothing that they did not mean to picomatch, and to a deny all that they meant to it',
    () => {
      const part = fc.constantFrom(
        ...['a', 'b', '1', '3', 'A', '.', '_', '-', '*', '**', '?', '{', '}', ',', '..', '[', ']'],
      );
      const pattern = fc.array(part, { minLength: 1, maxLength: 8 }).map((all) => all.join(''));
      // The possible names of capsules, tools and operations.
      const name = fc.stringMatching(/^[ab][ab13_-]{0,4}(\.[ab][ab13_-]{0,3})?$/);
      fc.assert(
        fc.property(pattern, name, (written, asked) => {
          const options = { dot: true, nonegate: true };
          const narrow = picomatch([written], { ...options, nocase: false })(asked);
          const wide = picomatch([written], { ...options, nocase: true })(asked);
          if (nameGlob([written], false)(asked)) expect(narrow).toBe(true);
          if (wide) expect(nameGlob([written], true)(asked)).toBe(true);
        }),
        fuzz(4_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );
});
