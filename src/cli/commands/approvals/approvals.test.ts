import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ioOf } from '../../../../test/programs/recorded-io.ts';
import { addRun } from '../../../../test/setup/broker-parts.ts';
import { type Person, temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { createServerRow } from '../../../app/serving/server-rows.ts';
import type { Approval, NewApproval } from '../../../contract/approval.ts';
import { messageOf } from '../../../contract/errors.ts';
import type { RunStatus } from '../../../contract/status.ts';
import type { Stores } from '../../../coordinator/store/create-stores.ts';
import { openStores } from '../../../coordinator/store/open-stores.ts';
import { noSecrets } from '../../../policy/secrets/redact.ts';
import { policyRemembered } from '../policy/policy-remembered.ts';
import { command } from './approvals.ts';

let person: Person;
let stores: Stores;
beforeEach(() => {
  person = temporaryPerson();
  stores = openStores(join(person.home, 'state'), { redactor: noSecrets });
});
afterEach(() => {
  stores.close();
  person.remove();
});

const question: NewApproval = {
  runId: 'run-1',
  intentId: null,
  subtaskId: 's1',
  capsuleId: 'clerk',
  kind: 'tool',
  question: 'Run npm test?',
  why: 'It runs a program.',
  details: 'runs ["npm","test"] in .',
  capsuleReason: '',
  operation: 'terminal.write',
  target: 'npm test',
  tier: 2,
  costMicroUsd: 0,
  requestHash: 'h1',
  workspace: '/w',
  capsuleHash: 'c1',
  binding: 'b1'.repeat(32),
  policyVersion: 'p1',
  isForced: false,
  choices: ['approve', 'deny'],
  expiresAt: null,
};

function ask(changes: Partial<NewApproval> = {}, status: RunStatus = 'parked'): Approval {
  addRun(stores.db, changes.runId ?? question.runId, { status });
  const approval = stores.approvals.draft({ ...question, ...changes });
  stores.journal.commit(() => stores.approvals.insert(approval));
  return approval;
}

async function run(
  name: string,
  positionals: readonly string[] = [],
  options: Record<string, unknown> = {},
  commands = command.subcommands,
) {
  const io = ioOf({ environment: person.environment, cwd: person.project });
  const subcommand = commands?.find((one) => one.name === name);
  const result = await subcommand?.run({ positionals, options }, io).catch(messageOf);
  return { result, out: io.out() };
}

describe('capstan approvals list', () => {
  it('reports that nothing is waiting', async () => {
    expect(await run('list')).toEqual({ result: 0, out: 'Nothing waits for an answer.\n' });
  });

  it('names capsule, tier, cost and the whole question on one line, escaped', async () => {
    const { id } = ask({ question: `Run echo ${'x'.repeat(100)}\u202e?`, costMicroUsd: null });
    const [, line = '', ...more] = (await run('list')).out.trimEnd().split('\n');
    expect(more).toEqual([]);
    const [short, , status, , capsule, tier, cost, workspace, asks] = line.split('\t');
    expect([short, status, capsule, tier]).toEqual([
      id.slice(-8),
      'waits',
      'clerk',
      '2 (execute or change something remote)',
    ]);
    expect([cost, workspace, asks]).toEqual([
      'cost not known',
      '/w',
      `Run echo ${'x'.repeat(100)}\\u202e?`,
    ]);
  });

  it('lists answered and expired questions only with --all, newest first', async () => {
    const old = ask();
    stores.desk.decide(old, { answer: 'deny', by: 'terminal', binding: old.binding });
    const open = ask();
    expect((await run('list')).out).not.toContain(old.id);
    const all = JSON.parse((await run('list', [], { all: true, json: true })).out);
    expect(all).toMatchObject([
      { id: open.id, status: 'pending' },
      { id: old.id, status: 'answered', answer: 'deny', answered_by: 'terminal' },
    ]);
    expect((await run('list', [], { all: true, limit: '1', json: true })).out).not.toContain(
      old.id,
    );
  });

  it('shows when a question is overdue', async () => {
    ask({ expiresAt: '2020-01-01T00:00:00.000Z' });
    expect((await run('list')).out).toContain('overdue');
  });
});

describe('capstan approvals show', () => {
  it('shows the full request, with invisible characters escaped', async () => {
    const details = Array.from({ length: 500 }, (_, index) => `line ${index} \u001b[8m\u2066`);
    const { id } = ask({ details: details.join('\n'), capsuleReason: 'Trust\nme' });
    const { out } = await run('show', [id]);
    expect(out).toContain('  │ line 499 \\u001b[8m\\u2066\n');
    expect(out).toContain('clerk says (its own words): "Trust\\u000ame"');
    expect(out).toContain(`  capstan approvals approve ${id.slice(-8)}\n`);
    expect(out).not.toContain('not shown');
  });

  it('shows the answer, who gave it and when', async () => {
    const { id, binding } = ask();
    stores.desk.decide(ask({ runId: 'run-2' }), { answer: 'approve', by: 'cli', binding });
    await run('deny', [id], { note: 'not today' });
    expect((await run('show', [id])).out).toMatch(
      /"deny" was answered by cli at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, saying "not today"\.\n$/,
    );
  });

  it('shows the choices for an unknown outcome', async () => {
    const choices = ['it_happened', 'do_it', 'abandon'] as const;
    const { id } = ask({ kind: 'unknown', isForced: true, choices });
    const short = id.slice(-8);
    const { out } = await run('show', [id]);
    expect(out).toContain(`  capstan approvals answer ${short} abandon\n`);
    expect((await run('approve', [id])).result).toContain(
      `"approve" is not an answer to this question. Write one of these:\n  capstan approvals answer ${short} it_happened`,
    );
    expect((await run('answer', [id, 'it_happened'])).result).toBe(0);
    expect(stores.approvals.find(id)).toMatchObject({ answer: 'it_happened', answeredBy: 'cli' });
  });

  it.each([
    ['0000', 'There is no question "0000"'],
    ['%', 'There is no question "%"'],
  ])('does not find %s', async (id, words) => {
    ask();
    expect((await run('show', [id])).result).toContain(words);
  });

  it('finds a question by the end of its id, and answers it by the last 8 characters', async () => {
    const { id } = ask();
    expect((await run('show', [id.slice(-6)])).result).toBe(0);
    expect((await run('approve', [id.slice(-6)])).result).toContain('Write the last 8 characters');
    expect((await run('approve', [id.slice(-8)])).result).toBe(0);
  });
});

describe('an answer on the command line', () => {
  it('shows the other open questions of a parked run, or how to resume it', async () => {
    const [first, second] = [ask(), ask()];
    expect((await run('approve', [first.id])).out).toBe(
      `Approved: Run npm test? (${first.id.slice(-8)})\n  capstan approvals show ${second.id.slice(-8)}\n  capstan resume run-1\n`,
    );
  });

  it('says that a running server continues the run, which then needs no resume', async () => {
    createServerRow(stores.db, () => new Date()).claim('http://127.0.0.1:7717');
    const [first, second] = [ask(), ask()];
    stores.db.prepare("UPDATE runs SET reason = 'approval'").run();
    expect((await run('approve', [first.id])).out).toContain('capstan resume run-1');
    expect((await run('approve', [second.id])).out).toBe(
      `Approved: Run npm test? (${second.id.slice(-8)})\nThe running server continues the run.\n  capstan runs follow run-1\n`,
    );
  });

  it('shows no next step while a process owns the run', async () => {
    const { id } = ask({}, 'completed');
    expect((await run('approve', [id])).out).toBe(`Approved: Run npm test? (${id.slice(-8)})\n`);
  });

  it('is refused if the run has ended', async () => {
    const { id, runId } = ask();
    stores.journal.commit(() => stores.approvals.close(runId));
    expect((await run('approve', [id])).result).toMatch(/its run ended at .* without an answer\.$/);
  });

  it('is remembered on request, and forgotten when it is revoked', async () => {
    const { id } = ask();
    const words = { remember: 'capsule', until: '2099-01-31', times: '3' };
    expect((await run('approve', [id], words)).result).toBe(0);
    const [kept] = stores.remembered.list();
    expect(kept).toMatchObject({ pattern: 'exact:h1', maxUses: 3, createdBy: 'cli', runId: null });
    const remembered = (name: string, positionals: readonly string[] = []) =>
      run(name, positionals, {}, policyRemembered.subcommands);
    expect((await remembered('list')).out).toMatch(
      /in force +0 of 3 +clerk +terminal.write +only this request/,
    );
    expect((await remembered('revoke', [kept?.id ?? ''])).result).toBe(0);
    expect((await remembered('list')).out).toContain('revoked');
    expect((await remembered('revoke', [kept?.id ?? ''])).out).toContain('is already revoked');
  });

  it.each([
    ['--remember', { remember: 'always' }, 'Write run (until this run ends) or capsule.'],
    [
      '--pattern alone',
      { pattern: 'argv:npm **' },
      '--pattern needs --remember run or --remember capsule',
    ],
    ['--until', { remember: 'run', until: 'soon' }, '--until is "soon"'],
    ['--times', { remember: 'run', times: '1.5' }, 'whole number from 1'],
    ['number of --times', { remember: 'run', times: '0' }, 'whole number from 1'],
    ['--until', { remember: 'run', until: '2020-01-31' }, 'in the past'],
    ['--note', { note: 'x'.repeat(2_001) }, 'note has 2001 characters'],
    ['--binding', { binding: 'b1b1' }, 'is about b1b1b1b1b1b1, not b1b1'],
  ])(
    'is refused with an invalid %s, and the question stays open',
    async (_what, options, words) => {
      const { id } = ask();
      expect((await run('approve', [id], options)).result).toContain(words);
      expect(stores.approvals.find(id)?.status).toBe('pending');
    },
  );

  it.each([
    ['only a person may answer', { isForced: true }],
    ['a rule asks about a model call', { operation: 'judge', tier: 3 }],
    ['a capsule is made', { kind: 'create', operation: 'capsule.create' }],
  ] as const)('is never remembered if %s', async (_what, changes) => {
    const { id } = ask(changes);
    expect((await run('approve', [id], { remember: 'run' })).result).toContain(
      'can not be remembered',
    );
    expect(stores.approvals.find(id)?.status).toBe('pending');
  });

  it('is remembered for spending per provider', async () => {
    const { id } = ask({ kind: 'spend', operation: 'plan', target: 'openai/gpt-x', tier: 3 });
    await run('approve', [id], { remember: 'capsule' });
    expect(stores.remembered.list()).toMatchObject([
      { operation: 'spend', pattern: 'payee:openai', capsuleId: '*' },
    ]);
  });
});

describe('a question of a capsule', () => {
  const asked = {
    kind: 'question',
    question: 'clerk asks: Which column?',
    why: 'The capsule reads your answer. Do not type keys or passwords.',
    details: '',
    operation: 'ask_person',
    tier: 0,
    choices: ['order_date', 'shipped_at'],
  } as const;

  it('is listed without tier and cost, and shown with its choices and how to answer it', async () => {
    const { id } = ask(asked);
    const short = id.slice(-8);
    expect((await run('list')).out).toMatch(/\tclerk\t\t\t\/w\t.*clerk asks: Which column\?/);
    const { out } = await run('show', [short]);
    expect(out).toContain('  1 order_date\n  2 shipped_at\n');
    expect(out).toContain('Do not type keys or passwords.');
    expect(out).toContain(`  capstan approvals answer ${short} "<1|2>"\n`);
    expect(out).not.toContain('tier');
  });

  it.each([
    ['the number of a choice', false, '2', 'shipped_at'],
    ['a choice', false, 'order_date', 'order_date'],
    ['a choice in another case', false, 'Shipped_AT', 'shipped_at'],
    ['other words', true, 'neither of them', 'neither of them'],
  ])('takes %s', async (_what, freeText, typed, answer) => {
    const { id } = ask({ ...asked, freeText });
    const { result, out } = await run('answer', [id.slice(-8), typed]);
    expect(result).toBe(0);
    expect(out).toMatch(/^Answered: clerk asks: Which column\?/);
    expect(out).toContain('capstan resume');
    expect(stores.approvals.find(id)).toMatchObject({ answer, answeredBy: 'cli' });
  });

  it.each([
    [
      'a number without a choice',
      false,
      '3',
      'Write a number or a choice:\n  1  order_date\n  2  shipped_at\n',
    ],
    ['such a number where other words are allowed', true, '3', 'There is no choice 3.'],
    ['other words that are not allowed', false, 'neither', '<1|2>'],
    ['an empty answer', true, ' ', 'The answer is empty.'],
    ['too long an answer', true, 'x'.repeat(4_001), '4000 are allowed'],
  ])('refuses %s', async (_what, freeText, typed, problem) => {
    const { id } = ask({ ...asked, freeText });
    expect((await run('answer', [id.slice(-8), typed])).result).toContain(problem);
    expect(stores.approvals.find(id)?.status).toBe('pending');
  });

  it('is not an approval, and its answer is never remembered', async () => {
    const { id } = ask({ ...asked, freeText: true });
    const short = id.slice(-8);
    expect((await run('approve', [short], { remember: 'capsule' })).result).toContain(
      'can not be remembered',
    );
    expect((await run('show', [short], { json: true })).out).toContain('"free_text": true');
  });
});
