import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { addRun } from '../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import type { NewApproval } from '../../contract/approval.ts';
import { watchChanges } from '../../db/changes/watch-changes.ts';
import { type Db, openDatabase } from '../../db/open-database.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { createAgreedCapsules } from '../agreed/agreed-capsules.ts';
import { createAgreedFiles } from '../agreed/agreed-files.ts';
import { createAudit, readAudit } from '../audit/audit.ts';
import { createJournal } from '../intent/journal.ts';
import { createApprovalDesk } from './approval-desk.ts';
import { createApprovalStore } from './approval-store.ts';
import { createRememberedAnswers, spendKey } from './remembered-answers.ts';
import { createTrustStore } from './trust-store.ts';

let dir: string;
beforeEach(() => {
  let db: Db;
  ({ dir, db } = temporaryDatabase());
  addRun(db, 'run-1');
});

/** For the database, another process: it has its own connection. */
function openDesk(now: () => Date = () => new Date()) {
  const db = openDatabase(join(dir, 'capstan.db'));
  onTestFinished(() => void db.close());
  const audit = createAudit(db, now, noSecrets);
  const journal = createJournal(db, audit, noSecrets);
  const approvals = createApprovalStore(db, audit, now, noSecrets);
  const remembered = createRememberedAnswers(db, now, noSecrets);
  const trust = createTrustStore(db, audit, now);
  const desk = createApprovalDesk({
    changes: watchChanges(db),
    journal,
    approvals,
    remembered,
    audit,
    trust,
    agreed: createAgreedCapsules(db, now, createAgreedFiles(db, noSecrets)),
  });
  const ask = (changes: Partial<NewApproval> = {}) => {
    const approval = approvals.draft({ ...question, ...changes });
    journal.commit(() => approvals.insert(approval));
    return approval;
  };
  return { db, approvals, remembered, desk, ask };
}

const question: NewApproval = {
  runId: 'run-1',
  intentId: null,
  subtaskId: 's1',
  capsuleId: 'clerk',
  kind: 'tool',
  question: 'Run npm test?',
  why: 'It runs a program.',
  details: 'npm test',
  capsuleReason: 'to see',
  operation: 'terminal.write',
  target: 'npm test',
  tier: 2,
  costMicroUsd: 0,
  requestHash: 'h1',
  workspace: '/w',
  capsuleHash: 'c1',
  binding: 'b1',
  policyVersion: 'p1',
  isForced: false,
  choices: ['approve', 'deny'],
  expiresAt: null,
};
const never = new AbortController().signal;
const yes = { answer: 'approve', by: 'cli', binding: 'b1' } as const;

describe('a question', () => {
  it('that one process asks is answered by another, and the first one notices', async () => {
    const own = openDesk();
    const elsewhere = openDesk();
    const asked = own.ask();
    const answered = own.desk.wait(asked.id, never);
    const [seen] = elsewhere.approvals.pending();
    expect(elsewhere.desk.decide(seen ?? asked, yes)).toBe(true);
    expect(await answered).toMatchObject({
      status: 'answered',
      answer: 'approve',
      answeredBy: 'cli',
    });
  });

  it('is decided by the first answer, and refuses any later one', () => {
    const { desk, ask, approvals } = openDesk();
    const asked = ask();
    expect(desk.decide(asked, yes)).toBe(true);
    expect(desk.decide(asked, { ...yes, answer: 'deny' })).toBe(false);
    expect(approvals.find(asked.id)?.answer).toBe('approve');
  });

  it('refuses a late answer, even if another process set the clock back after the deadline', () => {
    const noon = Date.parse('2026-01-01T12:00:00Z');
    const asked = openDesk(() => new Date(noon)).ask({
      expiresAt: new Date(noon + 60_000).toISOString(),
    });
    openDesk(() => new Date(noon + 61_000)).ask();
    const { desk, approvals } = openDesk(() => new Date(noon - 3_600_000));
    expect(desk.decide(asked, yes)).toBe(false);
    desk.expireOverdue();
    expect(approvals.find(asked.id)).toMatchObject({ status: 'expired', answer: null });
  });

  it('keeps its full time if the clock was set back before it was asked', () => {
    const noon = Date.parse('2026-01-01T12:00:00Z');
    openDesk(() => new Date(noon)).ask();
    const { ask, approvals, desk } = openDesk(() => new Date(noon - 3_600_000));
    const asked = ask({ expiresAt: approvals.deadlineIn(60_000) });
    expect(desk.decide(asked, yes)).toBe(true);
  });

  it('refuses an answer for another request', () => {
    const { desk, ask, approvals } = openDesk();
    const asked = ask();
    expect(desk.decide(asked, { ...yes, binding: 'another' })).toBe(false);
    expect(approvals.find(asked.id)?.status).toBe('pending');
  });

  it('refuses an answer that it does not offer', () => {
    const { desk, ask } = openDesk();
    expect(desk.decide(ask(), { ...yes, answer: 'it_happened' })).toBe(false);
  });

  it('expires at its deadline, even if someone waits for it', async () => {
    let nowMs = Date.parse('2026-01-01T00:00:00.000Z');
    const { desk, ask } = openDesk(() => new Date(nowMs));
    const asked = ask({ expiresAt: '2026-01-01T00:01:00.000Z' });
    const waited = desk.wait(asked.id, never);
    nowMs += 60_000;
    expect(await waited).toMatchObject({ status: 'expired', answer: null });
    expect(desk.decide(asked, yes)).toBe(false);
  });

  it('expires at its deadline after a long wait, without any write by another process', async () => {
    let nowMs = Date.parse('2026-01-01T00:00:00.000Z');
    const { desk, ask } = openDesk(() => new Date(nowMs));
    const waited = desk.wait(ask({ expiresAt: '2026-01-01T00:01:00.000Z' }).id, never);
    await new Promise((resolve) => setTimeout(resolve, 100));
    nowMs += 60_000;
    expect(await waited).toMatchObject({ status: 'expired', answer: null });
  });

  it('stays open if the process that asked ends', async () => {
    const { desk, ask, approvals } = openDesk();
    const asked = ask();
    const gone = new AbortController();
    const waited = desk.wait(asked.id, gone.signal);
    gone.abort();
    expect(await waited).toBeUndefined();
    expect(approvals.find(asked.id)?.status).toBe('pending');
  });

  it('is used for one effect only', () => {
    const { desk, ask, approvals } = openDesk();
    const asked = ask();
    expect(approvals.consume(asked.id)).toBe(false);
    desk.decide(asked, yes);
    expect([approvals.consume(asked.id), approvals.consume(asked.id)]).toEqual([true, false]);
  });

  it('leaves a line in the audit with its answer', () => {
    const { db, desk, ask } = openDesk();
    desk.decide(ask(), { ...yes, note: 'go on' });
    expect([...readAudit(db)]).toMatchObject([
      {
        action: 'approval.answered',
        actor: 'person:cli',
        detail: { answer: 'approve', note: 'go on' },
      },
    ]);
  });
});

describe('an answer that is remembered', () => {
  it.each(['approve', 'deny'] as const)(
    'is also given to the open questions about the same request: %s',
    (answer) => {
      const { db, approvals, desk, ask } = openDesk();
      addRun(db, 'run-2');
      const others = [
        ask(),
        ask({ runId: 'run-2', binding: 'b2' }),
        ask({ requestHash: 'h2' }),
        ask({ capsuleHash: 'c2' }),
        ask({ workspace: '/elsewhere' }),
        ask({ isForced: true }),
      ];
      const given = (one: { id: string }) => approvals.find(one.id)?.answer ?? null;
      desk.decide(ask(), { ...yes, answer });
      expect(others.map(given)).toEqual(others.map(() => null));
      desk.decide(ask(), { ...yes, answer, remember: { ...options, maxUses: null } });
      expect(others.map(given)).toEqual([answer, answer, null, null, null, null]);
      const by = approvals.find(others[0]?.id ?? '')?.answeredBy;
      expect(by).toMatch(/^remembered:/);
      expect([...readAudit(db)].filter(({ action }) => action === 'answer.used')).toHaveLength(2);
    },
  );

  it('is given to open questions only as often, and in the run, that it is for', () => {
    const { db, approvals, desk, ask } = openDesk();
    addRun(db, 'run-2');
    const others = [ask(), ask(), ask({ runId: 'run-2', binding: 'b2' })];
    const answers = () => others.map(({ id }) => approvals.find(id)?.answer ?? null);
    desk.decide(ask(), { ...yes, remember: { ...options, scope: 'run', maxUses: 1 } });
    expect(answers()).toEqual(['approve', null, null]);
    desk.decide(ask(), { ...yes, remember: { ...options, scope: 'run', maxUses: null } });
    expect(answers()).toEqual(['approve', 'approve', null]);
  });

  it('is not used up by an open question that does not offer it', () => {
    const { approvals, desk, remembered, ask } = openDesk();
    const [without, open] = [ask({ choices: ['deny'] }), ask()];
    desk.decide(ask(), { ...yes, remember: { ...options, maxUses: 1 } });
    expect(approvals.find(without.id)?.status).toBe('pending');
    expect(approvals.find(open.id)?.answer).toBe('approve');
    expect(remembered.list()).toMatchObject([{ uses: 1 }]);
  });

  const options = {
    scope: 'capsule',
    pattern: 'argv:npm test **',
    expiresAt: null,
    maxUses: 2,
  } as const;
  const about = {
    runId: 'run-2',
    capsuleId: 'clerk',
    capsuleHash: 'c1',
    workspace: '/w',
    operation: 'terminal.write',
  };

  it('applies to later runs of the capsule, up to its maximum of uses', () => {
    const { desk, ask, remembered } = openDesk();
    desk.decide(ask(), { ...yes, remember: options });
    const [kept] = remembered.inForce(about);
    expect(kept).toMatchObject({ pattern: 'argv:npm test **', maxUses: 2, createdBy: 'cli' });
    const uses = [1, 2, 3].map(() => remembered.use(kept?.id ?? ''));
    expect(uses).toEqual([true, true, false]);
    expect(remembered.inForce(about)).toEqual([]);
  });

  it.each([
    ['another capsule', { capsuleId: 'other' }],
    ['the capsule after its files changed', { capsuleHash: 'c2' }],
    ['another workspace', { workspace: '/elsewhere' }],
    ['another operation', { operation: 'terminal.read' }],
  ])('does not apply to %s', (_what, changes) => {
    const { desk, ask, remembered } = openDesk();
    desk.decide(ask(), { ...yes, remember: options });
    expect(remembered.inForce({ ...about, ...changes })).toEqual([]);
  });

  it('ends with its run if it was given for that', () => {
    const { desk, ask, remembered } = openDesk();
    desk.decide(ask(), { ...yes, remember: { ...options, scope: 'run' } });
    expect(remembered.inForce(about)).toEqual([]);
    expect(remembered.inForce({ ...about, runId: 'run-1' })).toHaveLength(1);
  });

  it('can be revoked, once', () => {
    const { desk, ask, remembered } = openDesk();
    desk.decide(ask(), { ...yes, remember: options });
    const id = remembered.list()[0]?.id ?? '';
    expect([remembered.revoke(id), remembered.revoke(id)]).toEqual([true, false]);
    expect(remembered.inForce(about)).toEqual([]);
  });

  it('about spending applies to the payee, whichever capsule asks', () => {
    const { desk, ask, remembered } = openDesk();
    const spend = { kind: 'spend', operation: 'plan', target: 'openai/gpt-x' } as const;
    desk.decide(ask(spend), { ...yes, remember: options });
    const { pattern, ...key } = spendKey('openai');
    expect(remembered.inForce({ runId: 'run-2', workspace: '/w', ...key })).toMatchObject([
      { answer: 'approve', pattern },
    ]);
  });

  it('is never stored for a question that only a person may answer', () => {
    const { desk, ask, remembered } = openDesk();
    desk.decide(ask({ isForced: true }), { ...yes, remember: options });
    expect(remembered.list()).toEqual([]);
  });
});
