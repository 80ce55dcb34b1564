import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import { failedWith } from '../../contract/errors.ts';
import { decidingRule } from '../../policy/rules/rule.ts';
import { ruleCallOfChat } from '../../policy/rules/rule-call.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { loadPolicy, readPolicy } from './load-policy.ts';
import { policyOf } from './policy-snapshot.ts';

let person: Person;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => person.remove());

async function inputs(flags: Record<string, unknown> = {}, policyFile?: string) {
  const { settings, project, notices } = await person.load({ flags });
  const { environment } = person;
  const file = policyFile === undefined ? {} : { policyFile };
  const found = { settings, project, cwd: person.project, environment, tools: toolbox, ...file };
  return { found, notices };
}
const load = async (...args: Parameters<typeof inputs>) =>
  loadPolicy((await inputs(...args)).found);
const issuesOf = async (...args: Parameters<typeof inputs>) => {
  const error: unknown = await load(...args).catch((thrown: unknown) => thrown);
  if (!failedWith(error, 'SETTINGS_INVALID')) throw new Error(`loaded, or ${String(error)}`);
  return error.details.issues;
};

const deny = (id: string, when: string, more = '') =>
  `rules:\n  - {id: ${id}, answer: deny, when: {${when}}${more}}\n`;

describe('the policy in force', () => {
  it('is empty if there are no files', async () => {
    expect(await load()).toMatchObject({ rules: [], notices: [], snapshot: { rules: [] } });
  });

  it("is the person's rules and a trusted project's", async () => {
    person.writeOwn('policy.yaml', deny('own', 'tool: terminal'));
    person.writeProject('capstan.policy.yaml', deny('theirs', 'tool: file_io'));
    const untrusted = await inputs();
    expect((await loadPolicy(untrusted.found)).texts.map(({ id }) => id)).toEqual(['own']);
    expect(untrusted.notices.join('\n')).toContain('not trusted');
    expect(untrusted.notices.join('\n')).toContain('capstan.policy.yaml');
    const trusted = await load({ trustProject: true });
    expect(trusted.texts.map(({ id }) => id)).toEqual(['own', 'project:theirs']);
  });

  it("uses the named file instead of the user's own", async () => {
    person.writeOwn('policy.yaml', deny('own', 'tool: terminal'));
    const file = person.writeProject('edited.yaml', deny('edited', 'tool: terminal'));
    expect((await load({}, 'edited.yaml')).texts.map(({ id }) => id)).toEqual(['edited']);
    expect((await load({}, file)).texts.map(({ id }) => id)).toEqual(['edited']);
  });

  it("tightens budgets by a project's, and never loosens them", async () => {
    person.writeOwn(
      'policy.yaml',
      'budgets: {capsules: {"*": {run_usd: 0.5}, clerk: {run_usd: 1}, reader: {day_usd: 2}}}',
    );
    person.writeProject(
      'capstan.policy.yaml',
      'budgets: {capsules: {"*": {run_usd: 2}, clerk: {run_usd: 0.1}}}',
    );
    expect([...(await load({ trustProject: true })).capsuleBudgets]).toEqual([
      ['*', { runMicroUsd: 500_000 }],
      ['clerk', { runMicroUsd: 100_000 }],
      ['reader', { runMicroUsd: 500_000, dayMicroUsd: 2_000_000 }],
    ]);
  });

  it('warns of ambiguous globs and of commands with any option', async () => {
    const rules = ['capsule: "log-{1..3}"', 'argv: "find **"'].map(
      (when, at) => `  - {id: r${at}, answer: allow, when: {${when}}}\n`,
    );
    person.writeOwn('policy.yaml', `rules:\n${rules.join('')}`);
    const { notices } = await load();
    expect(notices).toHaveLength(2);
    expect(notices.join('\n')).toMatch(/rule "r0": capsule "log-\{1\.\.3\}" .*allows nothing/);
    expect(notices.join('\n')).toMatch(/rule "r1": "find \*\*" allows every option/);
  });

  const tooLong = '#'.repeat(262_145);

  it.each([
    ['a missing one', () => 'missing.yaml', 'there is no such file'],
    ['a folder', () => person.project, 'not a file'],
    ['one that is too long', () => person.writeProject('long.yaml', tooLong), 'longer than'],
  ])('refuses a named file that it can not read: %s', async (_what, make, words) => {
    const refused = { code: 'SETTINGS_INVALID', message: expect.stringContaining(words) };
    await expect(load({}, make())).rejects.toMatchObject(refused);
  });

  it("denies everything if the user's file is unreadable", async () => {
    person.writeOwn('policy.yaml', tooLong);
    const policy = await load();
    expect(policy.rules).toBe('unreadable');
    expect(policy.notices.join()).toMatch(/longer than .* everything is denied/);
  });

  it.skipIf(process.getuid?.() === 0)(
    'closes everything if the own file may not be read',
    async () => {
      chmodSync(person.writeOwn('policy.yaml', ''), 0o000);
      expect((await load()).rules).toBe('unreadable');
    },
  );

  it('reports all problems of every file at once', async () => {
    person.writeOwn('policy.yaml', 'rules: [{id: a, answer: no, when: {tool: terminal}}]');
    person.writeProject(
      'capstan.policy.yaml',
      'rules: [{id: b, answer: allow, when: {tool: terminal}}]',
    );
    const issues = await issuesOf({ trustProject: true });
    expect(issues).toContain(`${join(person.home, 'config/policy.yaml')}:1 rule "a" answer`);
    expect(issues).toContain('a project may only deny or ask');
    const { policy, problems } = await readPolicy((await inputs({ trustProject: true })).found);
    expect(problems).toHaveLength(2);
    expect(policy.rules).toBe('unreadable');
  });

  it('refuses a rule about an unknown tool', async () => {
    person.writeOwn('policy.yaml', deny('typo', 'tool: teminal'));
    expect(await issuesOf()).toContain(
      'rule "typo" when.tool: there is no tool "teminal". Did you mean terminal?',
    );
    person.writeOwn('policy.yaml', deny('typo', 'operation: fileio.read'));
    expect(await issuesOf()).toContain('there is no tool "fileio". Did you mean file_io?');
  });

  it('refuses a rule about an unknown operation, which would never match', async () => {
    person.writeOwn('policy.yaml', deny('typo', 'operation: file_io.wirte'));
    expect(await issuesOf()).toContain(
      'rule "typo" when.operation: file_io has no operation "wirte". Did you mean write?',
    );
  });

  it.each([
    [
      'a match that does not match',
      'match: [{tool: file_io, args: {operation: read, path: a}}]',
      '"r" does not match it',
    ],
    [
      'a not_match that matches',
      'not_match: [{tool: file_io, args: {operation: read, path: keys/a}}]',
      '"r" matches it',
    ],
    [
      'bad arguments',
      'match: [{tool: file_io, args: {operation: raed, path: keys/a}}]',
      'it is not a valid call',
    ],
    ['an unknown tool', 'match: [{tool: fileio}]', 'Did you mean file_io?'],
  ])('refuses an example that does not hold: %s', async (_what, example, words) => {
    person.writeOwn('policy.yaml', deny('r', 'path: keys/**', `, ${example}`));
    expect(await issuesOf()).toContain(words);
  });
});

describe('the version of a policy', () => {
  it('changes with rules, gates, approve mode and budgets, and with nothing else', async () => {
    person.writeOwn('policy.yaml', deny('own', 'tool: terminal'));
    const { version } = await load();
    expect(version).toMatch(/^[0-9a-f]{64}$/);
    expect((await load({ workspace: person.home })).version).toBe(version);
    expect((await load({ approveMode: 'deny' })).version).not.toBe(version);
    expect((await load({ budgetUsd: '3' })).version).not.toBe(version);
    person.writeOwn('policy.yaml', `${deny('own', 'tool: terminal')}#\n`);
    expect((await load()).version).not.toBe(version);
  });

  it('is the same when the policy is built again from its snapshot', async () => {
    person.writeOwn('policy.yaml', deny('own', 'tool: chat'));
    const before = await load();
    person.writeOwn('policy.yaml', '');
    const { policy, problems } = await policyOf(JSON.parse(JSON.stringify(before.snapshot)));
    expect(problems).toEqual([]);
    expect(policy.version).toBe(before.version);
    expect(policy).toMatchObject({ gates: before.gates, budget: before.budget });
    const call = ruleCallOfChat({ capsuleId: 'c', origin: undefined, costMicroUsd: 0 });
    expect(policy.rules !== 'unreadable' && decidingRule(policy.rules, call)?.id).toBe('own');
  });

  it('keeps the fact that a file was unreadable', async () => {
    person.writeOwn('policy.yaml', '#'.repeat(262_145));
    const { snapshot } = await load();
    expect((await policyOf(JSON.parse(JSON.stringify(snapshot)))).policy.rules).toBe('unreadable');
  });

  it.each([null, {}, { version: 2 }])('is not read from %j', async (row) => {
    await expect(policyOf(row)).rejects.toThrow();
  });
});
