import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRule } from '../../src/policy/rules/compile-rule.ts';
import { parseRules } from '../../src/policy/rules/parse-rules.ts';
import { decidingRule, type Rule, type RuleCall } from '../../src/policy/rules/rule.ts';
import type { When } from '../../src/policy/rules/rules-schema.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz.ts';

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: 1, maxLength: 2 });

const hosts = ['example.com', '*.example.com', 'example.com:8080', '*', '[::1]', '127.0.0.1'];
const paths = ['**', 'src/**', 'a.md', '*.md', 'src/*', '**/.env', 'Src/A.ts', 'src'];
const argvs = ['npm test', 'npm **', '*', '**', 'rm -rf **', 'git * x'];

const when: fc.Arbitrary<When> = fc.record(
  {
    tool: some(fc.constantFrom('file_io', 'terminal', '*', 'http_{api,x}', 'chat')),
    operation: some(fc.constantFrom('file_io.read', '*.write', 'http_api.*', 'FILE_IO.*')),
    capsule: some(fc.constantFrom('clerk', '*', 'cl*')),
    tier: some(fc.constantFrom(0, 1, 2, 3)),
    cost_usd: fc.constantFrom({ over: 1 }, { under: 1 }, { over: 0, under: 5 }),
    host: some(fc.constantFrom(...hosts)),
    path: some(fc.constantFrom(...paths)),
    argv: some(fc.constantFrom(...argvs)),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<When>;

const place = fc.constantFrom('.', 'src', 'src/a.ts', 'a.md', '.env', 'src/deep/.env', 'SRC/A.TS');
const command = fc.oneof(
  fc.constant(undefined),
  some(fc.constantFrom('npm', 'test', 'rm', '-rf', 'src/a.ts', '.env', 'a=../b', '')).map(
    (argv) => ({
      kind: 'argv' as const,
      argv,
      access: 'write' as const,
      cwd: '.',
    }),
  ),
  fc.string({ maxLength: 30 }).map((text) => ({
    kind: 'shell' as const,
    text,
    access: 'write' as const,
    cwd: 'src',
  })),
);
const call: fc.Arbitrary<RuleCall> = fc.record({
  tool: fc.constantFrom('file_io', 'terminal', 'http_api', 'chat', 'constructor'),
  operation: fc.constantFrom('file_io.read', 'file_io.write', 'http_api.GET', 'chat'),
  capsuleId: fc.constantFrom('clerk', 'other', ''),
  paths: fc.array(fc.record({ written: place, real: place, subtree: fc.boolean() }), {
    maxLength: 2,
  }),
  isTreeFiltered: fc.boolean(),
  hosts: fc.array(
    fc.record({
      name: fc.constantFrom('example.com', 'a.example.com', '127.0.0.1', 'evil.test'),
      port: fc.constantFrom(443, 8080),
      isUsualPort: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  workspace: fc.constant('/w'),
  command,
  tiers: some(fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const)),
  costMicroUsd: fc.option(fc.nat(5_000_000), { nil: undefined }),
});

const answer = fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const);
const rule: fc.Arbitrary<Rule> = fc
  .tuple(answer, when)
  .map(([kind, conditions]) => compileRule({ id: kind, answer: kind, when: conditions }));

const rank = { deny: 0, ask: 1, none: 2, allow: 3 } as const;
const strictness = (rules: readonly Rule[], one: RuleCall) =>
  rank[decidingRule(rules, one)?.answer ?? 'none'];

describe('rules', () => {
  it(
    'deny or ask about everything that the same words would allow',
    () => {
      fc.assert(
        fc.property(when, call, (conditions, one) => {
          // The files that a command touches are unknown: an allow uses its words, a deny the paths among them.
          fc.pre(conditions.path === undefined || one.command === undefined);
          const matches = (kind: Rule['answer']) =>
            compileRule({ id: 'r', answer: kind, when: conditions }).matches(one);
          if (!matches('allow')) return;
          expect(matches('deny')).toBe(true);
          expect(matches('ask')).toBe(true);
        }),
        fuzz(4_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'become stricter by every deny and ask that is added, at any position',
    () => {
      fc.assert(
        fc.property(
          fc.array(rule, { maxLength: 5 }),
          rule,
          fc.nat(5),
          call,
          (rules, more, at, one) => {
            fc.pre(more.answer !== 'allow');
            const added = [...rules.slice(0, at), more, ...rules.slice(at)];
            expect(strictness(added, one)).toBeLessThanOrEqual(strictness(rules, one));
            if (more.answer === 'deny' && more.matches(one)) expect(strictness(added, one)).toBe(0);
          },
        ),
        fuzz(3_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'decide the same in any order, except which of several is named',
    () => {
      fc.assert(
        fc.property(fc.array(rule, { maxLength: 6 }), call, (rules, one) => {
          expect(strictness([...rules].reverse(), one)).toBe(strictness(rules, one));
        }),
        fuzz(2_000),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'of any text are valid, or refused as a whole with a place and a fix, and never looser for a project',
    async () => {
      const piece = fc.oneof(
        fc.constantFrom(
          ...[
            'version: 1\n',
            'rules:\n',
            '  - id: a\n',
            '    deny:\n',
            '    when:\n',
            ' path: "**"\n',
          ],
          ...[
            '    allow: true\n',
            '    answer: allow\n',
            '&a',
            '*a',
            '<<: *a',
            '!!js/function',
            '? ',
          ],
          ...[
            'budgets: {}\n',
            '- ',
            ': ',
            '\t',
            '"',
            '{',
            '}',
            '[',
            ']',
            '|',
            '\u2028',
            '__proto__:',
          ],
        ),
        fc.string({ maxLength: 10 }),
      );
      const text = fc.array(piece, { maxLength: 25 }).map((parts) => parts.join(''));
      await fc.assert(
        fc.asyncProperty(text, async (written) => {
          const parsed = await parseRules({
            file: 'policy.yaml',
            origin: 'project',
            text: written,
          });
          if (parsed.problems.length > 0) expect(parsed.rules).toEqual([]);
          for (const { where, problem } of parsed.problems) {
            expect(where).toContain('policy.yaml');
            expect(problem).not.toBe('');
          }
          expect(parsed.rules.filter((one) => one.answer === 'allow')).toEqual([]);
        }),
        fuzz(800),
      );
    },
    FUZZ_TIMEOUT_MS,
  );
});
