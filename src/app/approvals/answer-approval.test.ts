import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { blankIntent } from '../../../test/setup/blank-intent.ts';
import { addRun } from '../../../test/setup/broker-parts.ts';
import { type Person, temporaryPerson } from '../../../test/setup/temporary-person.ts';
import type { Approval, NewApproval } from '../../contract/approval.ts';
import { messageOf } from '../../contract/errors.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import { openStores } from '../../coordinator/store/open-stores.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { type Capstan, openCapstan } from '../open-capstan.ts';
import type { AnswerRequest } from './answer-approval.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

let person: Person;
let stores: Stores;
let capstan: Capstan;
beforeEach(async () => {
  person = temporaryPerson();
  const now = () => NOW;
  capstan = await openCapstan({ env: person.environment, cwd: person.project, now });
  stores = openStores(`${person.home}/state`, { redactor: noSecrets, now });
});
afterEach(async () => {
  stores.close();
  await capstan.close();
  person.remove();
});

const question: NewApproval = {
  runId: 'run-1',
  intentId: 'i1',
  subtaskId: 's1',
  capsuleId: 'clerk',
  kind: 'tool',
  question: 'Run npm test?',
  why: '',
  details: '',
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

function ask(changes: Partial<NewApproval> = {}, status = 'parked'): Approval {
  addRun(stores.db, question.runId, { status });
  const approval = stores.approvals.draft({ ...question, ...changes });
  stores.journal.commit(() => stores.approvals.insert(approval));
  return approval;
}

const approve = (id: string, changes: Partial<AnswerRequest> = {}) =>
  capstan.approvals.answer(id, { answer: 'approve', by: 'dashboard', ...changes });

describe('an answer through the API', () => {
  it('returns the answered question, and what its parked run waits for as data', async () => {
    const [first, second] = [ask(), ask()];
    const { approval, next } = await approve(first.id, { note: 'fine', binding: 'b1b1b1b1' });
    expect(approval).toMatchObject({
      id: first.id,
      status: 'answered',
      answer: 'approve',
      answeredBy: 'dashboard',
      note: 'fine',
    });
    expect(next).toEqual([
      { action: 'answer', id: second.id, choices: ['approve', 'deny'] },
      { action: 'resume', id: 'run-1' },
    ]);
  });

  it('has nothing next if the run is not parked', async () => {
    expect((await approve(ask({}, 'completed').id)).next).toEqual([]);
  });

  it('counts once: the second one learns who answered first', async () => {
    const { id } = ask();
    await approve(id);
    await expect(approve(id, { answer: 'deny' })).rejects.toMatchObject({
      code: 'APPROVAL_CLOSED',
      message: expect.stringContaining('"approve" was answered by dashboard'),
    });
  });

  it('is refused after the deadline of the question', async () => {
    const { id } = ask({ expiresAt: '2026-11-21T11:59:59.000Z' });
    await expect(approve(id)).rejects.toMatchObject({ code: 'APPROVAL_CLOSED' });
  });

  it('names the valid choices', async () => {
    const { id } = ask({ choices: ['it_happened', 'do_it', 'abandon'], isForced: true });
    await expect(approve(id)).rejects.toMatchObject({
      code: 'APPROVAL_CHOICE',
      details: { choices: ['it_happened', 'do_it', 'abandon'] },
    });
  });

  it.each([
    ['a short binding', { binding: 'b1b1' }, 'is about b1b1b1b1b1b1, not b1b1'],
    ['another binding', { binding: 'b1b1b1b2' }, 'not b1b1b1b2'],
    ['a long note', { note: 'x'.repeat(2_001) }, 'note has 2001 characters'],
    ['no surface', { by: ' ' }, 'by is " "'],
    ['the approve mode as a surface', { by: 'approve_mode' }, 'Write the name of the surface'],
    ['a remembered answer as a surface', { by: 'remembered:1' }, 'Write the name of the surface'],
    ['a scope', { remember: { scope: 'always' as 'run' } }, 'remember.scope is "always"'],
    ['a pattern', { remember: { scope: 'run', pattern: 'all' } }, 'remember.pattern: "all"'],
    ['an end', { remember: { scope: 'run', until: 'soon' } }, 'remember.until is "soon"'],
    ['an end in the past', { remember: { scope: 'run', until: '2026-01-01' } }, 'in the past'],
    ['a number of uses', { remember: { scope: 'run', uses: 1.5 } }, 'remember.uses is 1.5'],
  ] as const)('refuses %s without naming an option of a command', async (_what, changes, words) => {
    const { id } = ask();
    const message = await approve(id, changes).then(() => '', messageOf);
    expect(message).toContain(words);
    expect(message).not.toContain(' --');
    expect(stores.approvals.find(id)?.status).toBe('pending');
  });
});

describe('an answer of an untyped caller', () => {
  it.each([
    ['by', { by: undefined }, 'by is missing; it must be a string.'],
    ['by', { by: 5 }, 'by is a number'],
    ['answer', { answer: ['approve'] }, 'answer is an array'],
    ['binding', { binding: null }, 'binding is null'],
    ['note', { note: 5 }, 'note is a number'],
    ['remember', { remember: 'run' }, 'remember is a string; it must be an object.'],
    [
      'remember.pattern',
      { remember: { scope: 'run', pattern: 1 } },
      'remember.pattern is a number',
    ],
    ['remember.until', { remember: { scope: 'run', until: 1 } }, 'remember.until is a number'],
  ])('is refused, naming %s', async (field, changes, words) => {
    const { id } = ask();
    await expect(approve(id, changes as unknown as Partial<AnswerRequest>)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(words),
      details: { field },
    });
    expect(stores.approvals.find(id)?.status).toBe('pending');
  });

  it('is refused without a request', async () => {
    const answering = capstan.approvals.answer(ask().id, undefined as unknown as AnswerRequest);
    await expect(answering).rejects.toMatchObject({ details: { field: 'request' } });
  });
});

describe('an answer that is remembered', () => {
  it('for a capsule expires after 30 days, unless an end is given', async () => {
    await approve(ask().id, { remember: { scope: 'capsule' } });
    await approve(ask().id, { remember: { scope: 'capsule', until: '2026-11-22', uses: 3 } });
    expect(await capstan.approvals.remembered()).toMatchObject([
      { expiresAt: '2026-11-22T00:00:00.000Z', maxUses: 3 },
      { expiresAt: '2026-12-21T12:00:00.000Z', maxUses: null, pattern: 'exact:h1', runId: null },
    ]);
  });

  it.each([
    [
      'a path',
      'file_io',
      { operation: 'write', path: 'a b.md', content: '' },
      'path:c',
      'Write its path',
    ],
    ['words', 'terminal', { argv: ['ls', 'a b'], access: 'write' }, 'argv:ls', 'Write its options'],
    [
      'a shell text',
      'terminal',
      { command: 'ls *', access: 'write' },
      'argv:ls',
      'No pattern does',
    ],
  ])(
    'is refused with a pattern that does not match %s, and what it may contain',
    async (_what, tool, args, pattern, words) => {
      const { id } = ask({ operation: `${tool}.write` });
      stores.journal.save(blankIntent({ request: { tool, args } }));
      await expect(approve(id, { remember: { scope: 'run', pattern } })).rejects.toThrow(words);
    },
  );

  it('for a run ends with the run', async () => {
    await approve(ask().id, { remember: { scope: 'run' } });
    expect(await capstan.approvals.remembered()).toMatchObject([
      { runId: 'run-1', expiresAt: null, createdBy: 'dashboard' },
    ]);
  });

  it.each([
    ['a forced question', { isForced: true }],
    ['a new capsule', { kind: 'create', operation: 'capsule.create' }],
  ] as const)('is refused for %s', async (_what, changes) => {
    const { id } = ask(changes);
    await expect(approve(id, { remember: { scope: 'run' } })).rejects.toThrow('asked each time');
    expect(stores.approvals.find(id)?.status).toBe('pending');
  });

  it('is revoked by its id or the end of it, once', async () => {
    await approve(ask().id, { remember: { scope: 'run' } });
    const [{ id } = { id: '' }] = await capstan.approvals.remembered();
    const revoke = () => capstan.approvals.revoke(id.slice(-8), { by: 'dashboard' });
    expect(await revoke()).toEqual({
      id,
      capsuleId: 'clerk',
      operation: 'terminal.write',
      isRevoked: true,
    });
    expect(await revoke()).toMatchObject({ isRevoked: false });
  });

  it.each([
    ['nothing', 'APPROVAL_UNKNOWN', 'There is no remembered answer "nothing".'],
    ['a1b2', 'USAGE', 'Write the last 8 characters of the id.'],
  ])('is not revoked by %s', async (id, code, words) => {
    await expect(capstan.approvals.revoke(id, { by: 'cli' })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
      next: code === 'USAGE' ? [] : [{ action: 'list_remembered' }],
    });
  });
});
