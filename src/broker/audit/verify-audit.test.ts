import { beforeEach, describe, expect, it } from 'vitest';
import { blankIntent } from '../../../test/setup/blank-intent.ts';
import { addRun } from '../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import type { NewApproval } from '../../contract/approval.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import { watchChanges } from '../../db/changes/watch-changes.ts';
import type { Db } from '../../db/open-database.ts';
import { canonicalHash } from '../../platform/text/canonical-hash.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { createAgreedCapsules } from '../agreed/agreed-capsules.ts';
import { createAgreedFiles } from '../agreed/agreed-files.ts';
import { createJournal } from '../intent/journal.ts';
import { createApprovalDesk } from '../questions/approval-desk.ts';
import { createApprovalStore } from '../questions/approval-store.ts';
import { createRememberedAnswers } from '../questions/remembered-answers.ts';
import { createTrustStore } from '../questions/trust-store.ts';
import { auditHash, createAudit, type StoredAuditRow } from './audit.ts';
import { verifyAudit } from './verify-audit.ts';

let db: Db;
beforeEach(() => {
  ({ db } = temporaryDatabase());
});

const proposedAt = '2099-01-01T00:00:00.000Z';

const request = { tool: 'terminal', args: { argv: ['rm', 'keep.txt'] } };

const intent = (id: string, changes: Partial<IntentRecord> = {}): IntentRecord =>
  blankIntent({
    id,
    name: 'terminal.write',
    target: 'rm keep.txt',
    tier: 2,
    repeatability: 'unsafe',
    request,
    requestHash: canonicalHash(request),
    status: 'done',
    step: 6,
    rule: 'execute',
    outcome: { ok: true, result: { exit_code: 0 } },
    proposedAt,
    ...changes,
  });

const question: NewApproval = {
  runId: 'run-1',
  intentId: 'i1',
  subtaskId: 's1',
  capsuleId: 'clerk',
  kind: 'tool',
  question: 'Run rm keep.txt?',
  why: '',
  details: '',
  capsuleReason: '',
  operation: 'terminal.write',
  target: 'rm keep.txt',
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

/** A run with three intents, one of them done after an approval: ten lines. Returns the question's id. */
function write(): string {
  addRun(db, 'run-1');
  const audit = createAudit(db, () => new Date(), noSecrets);
  const about = { runId: 'run-1', ref: 'run-1', detail: {} };
  audit.append({ actor: 'person', action: 'run.started', ...about });
  const journal = createJournal(db, audit, noSecrets);
  const approvals = createApprovalStore(db, audit, () => new Date(), noSecrets);
  const remembered = createRememberedAnswers(db, () => new Date(), noSecrets);
  const trust = createTrustStore(db, audit, () => new Date());
  const desk = createApprovalDesk({
    changes: watchChanges(db),
    journal,
    approvals,
    remembered,
    audit,
    trust,
    agreed: createAgreedCapsules(db, () => new Date(), createAgreedFiles(db, noSecrets)),
  });
  for (const id of ['i1', 'i2', 'i3']) {
    journal.save(intent(id, { status: 'proposed', outcome: undefined }));
  }
  const approval = approvals.draft(question);
  const asked = { actor: 'policy', action: 'approval.asked', runId: 'run-1', ref: approval.id };
  journal.commit(() => {
    approvals.insert(approval);
    audit.append({ ...asked, detail: { binding: 'b1' } });
  });
  desk.decide(approval, { answer: 'approve', by: 'cli', binding: 'b1' });
  journal.commit(() => approvals.consume(approval.id));
  for (const id of ['i1', 'i2', 'i3']) journal.save(intent(id));
  return approval.id;
}

/** What a malicious person with access to the database may do. */
const edit = (sql: string) => db.exec(sql);
const problems = (options = {}) => verifyAudit(db, options).problems.map(({ problem }) => problem);
const lines = () =>
  db
    .prepare<[], StoredAuditRow>(
      'SELECT seq, at, actor, action, run_id AS runId, ref, detail, prev_hash AS prevHash, hash FROM audit ORDER BY seq',
    )
    .all();

/** Recomputes every hash from a line on, so that the chain itself is consistent. */
function rechain(): void {
  let prevHash = '0'.repeat(64);
  const update = db.prepare('UPDATE audit SET prev_hash = ?, hash = ? WHERE seq = ?');
  for (const line of lines()) {
    const hash = auditHash({ ...line, prevHash });
    update.run(prevHash, hash, line.seq);
    prevHash = hash;
  }
}

describe('verifyAudit', () => {
  it('accepts text with lone surrogates in every row', () => {
    write();
    const odd = 'a\ud800b\udc00';
    const audit = createAudit(db, () => new Date(), noSecrets);
    const journal = createJournal(db, audit, noSecrets);
    const request = { tool: 'file_io', args: { path: odd, [odd]: 'x' } };
    journal.save(intent('i4', { name: odd, target: odd, reason: odd, wireId: odd, request }));
    const approvals = createApprovalStore(db, audit, () => new Date(), noSecrets);
    const asked = approvals.draft({ ...question, target: odd, why: odd, details: odd });
    const about = { actor: `person:${odd}`, runId: 'run-1' };
    journal.commit(() => {
      approvals.insert(asked);
      approvals.decide(asked.id, { answer: 'approve', by: odd, note: odd, binding: 'b1' });
      const detail = { by: odd, note: odd };
      audit.append({ ...about, action: 'approval.answered', ref: asked.id, detail });
      audit.append({ ...about, action: 'thing.done', ref: odd, detail });
    });
    expect(problems()).toEqual([]);
  });

  it('finds nothing if nothing was changed, and names the head', () => {
    write();
    expect(verifyAudit(db)).toEqual({ lines: 10, head: lines().at(-1)?.hash, problems: [] });
  });

  it('finds nothing in an empty database', () => {
    expect(verifyAudit(db)).toEqual({ lines: 0, head: '0'.repeat(64), problems: [] });
  });

  it.each([
    ['actor', `UPDATE audit SET actor = 'person:root' WHERE seq = 6`],
    ['time', `UPDATE audit SET at = '2020-01-01T00:00:00.000Z' WHERE seq = 6`],
    ['text', `UPDATE audit SET detail = replace(detail, 'approve', 'deny') WHERE seq = 6`],
    ['text, so that it can not be read', `UPDATE audit SET detail = '{' WHERE seq = 6`],
    ['run', `UPDATE audit SET run_id = NULL WHERE seq = 6`],
  ])('finds a line whose %s was changed', (_what, sql) => {
    write();
    edit(sql);
    expect(verifyAudit(db).problems).toContainEqual({
      seq: 6,
      problem: 'its hash does not match its content',
    });
  });

  it('finds a line that was removed', () => {
    write();
    edit('DELETE FROM audit WHERE seq = 2');
    expect(problems()).toEqual(
      expect.arrayContaining(['line 2 is missing', 'it does not follow the line before it']),
    );
  });

  it('finds a line that was removed, with the rest renumbered', () => {
    write();
    edit('DELETE FROM audit WHERE seq = 2; UPDATE audit SET seq = seq - 1 WHERE seq > 2');
    expect(problems()).toContain('it does not follow the line before it');
  });

  it('finds two swapped lines', () => {
    write();
    edit(`UPDATE audit SET seq = 99 WHERE seq = 1; UPDATE audit SET seq = 1 WHERE seq = 2;
          UPDATE audit SET seq = 2 WHERE seq = 99`);
    expect(problems()).toContain('it does not follow the line before it');
  });

  it('finds a truncated end with the help of the journal', () => {
    write();
    edit('DELETE FROM audit WHERE seq = 10');
    expect(problems()).toEqual(['intent i3 was changed']);
  });

  it('finds an end that was truncated together with its rows, with a head that was stored elsewhere', () => {
    write();
    const head = verifyAudit(db).head;
    edit(`DELETE FROM audit WHERE seq = 10; DELETE FROM audit WHERE ref = 'i3'; DELETE FROM intents WHERE id = 'i3';
          UPDATE audit SET seq = seq - 1 WHERE seq > 4`);
    rechain();
    expect(problems()).toEqual([]);
    expect(problems({ head })).toEqual([
      expect.stringContaining(`the line ${head} is not in the chain`),
    ]);
  });

  it('accepts an earlier head', () => {
    write();
    expect(problems({ head: lines()[2]?.hash })).toEqual([]);
    expect(problems({ head: '0'.repeat(64) })).toEqual([]);
  });

  it.each([
    [
      'request',
      `UPDATE intents SET request = replace(request, 'keep.txt', 'other.txt') WHERE id = 'i2'`,
      'intent i2 was changed',
    ],
    [
      'request, so that it can not be read',
      `UPDATE intents SET request = '{' WHERE id = 'i2'`,
      'intent i2 was changed',
    ],
    ['state', `UPDATE intents SET status = 'denied' WHERE id = 'i2'`, 'intent i2 was changed'],
    ...[
      'outcome',
      'tier',
      'target',
      'rule',
      'name',
      'cost_micro_usd',
      'capsule_id',
      'step',
      'facts',
      'reason',
      'denial',
      'ended_at',
      'effects',
    ].map((column) => [
      column,
      `UPDATE intents SET ${column} = 7 WHERE id = 'i2'`,
      'intent i2 was changed',
    ]),
    [
      'place in the journal: it is gone',
      `DELETE FROM intents WHERE id = 'i2'`,
      'intent i2 was removed from the journal',
    ],
  ])('finds an intent that was given another %s', (_what, sql, problem) => {
    write();
    edit(sql);
    expect(problems()).toEqual([problem]);
  });

  it('finds an intent that was inserted by hand', () => {
    write();
    edit(`INSERT INTO intents (id, run_id, subtask_id, capsule_id, seq, kind, name, target, tier, request, request_hash,
            reason, status, proposed_at)
          SELECT 'i4', run_id, subtask_id, capsule_id, 9, kind, name, target, tier, request, request_hash, reason,
            status, proposed_at FROM intents WHERE id = 'i1'`);
    expect(problems()).toEqual(['no line records intent i4']);
  });

  it.each([
    ['turned round', `UPDATE approvals SET answer = 'deny'`, 'was changed'],
    ['put into another mouth', `UPDATE approvals SET answered_by = 'dashboard'`, 'was changed'],
    ['given to something else', `UPDATE approvals SET binding = 'b2'`, 'was changed'],
    ['made good again', `UPDATE approvals SET status = 'answered'`, 'was changed'],
    ['given to another question', `UPDATE approvals SET question = 'Run ls?'`, 'was changed'],
    ['given to other details', `UPDATE approvals SET details = 'ls'`, 'was changed'],
    ['given to another plan', `UPDATE approvals SET plan = '{}'`, 'was changed'],
    ['given other steps', `UPDATE approvals SET edited_steps = '[]'`, 'was changed'],
    ['opened for any words', 'UPDATE approvals SET free_text = 1', 'was changed'],
    ['taken away', 'DELETE FROM approvals', 'was removed from the journal'],
  ])('finds an answer that was %s', (_what, sql, problem) => {
    const id = write();
    edit(sql);
    expect(problems()).toEqual([expect.stringContaining(id)]);
    expect(problems()[0]).toContain(problem);
  });

  it('finds an answer that nobody gave', () => {
    write();
    const approvals = createApprovalStore(
      db,
      createAudit(db, () => new Date(), noSecrets),
      () => new Date(),
      noSecrets,
    );
    const forged = approvals.draft(question);
    approvals.insert(forged);
    edit(
      `UPDATE approvals SET status = 'answered', answer = 'approve', answered_by = 'cli' WHERE id = '${forged.id}'`,
    );
    expect(problems()).toEqual([`no line records question ${forged.id}`]);
  });

  it('finds a chain that is gone completely, also if it starts again', () => {
    write();
    edit('DELETE FROM audit');
    expect(problems()).toHaveLength(5);
    const audit = createAudit(db, () => new Date(), noSecrets);
    createJournal(db, audit, noSecrets).save(intent('i4'));
    expect(problems()).toHaveLength(5);
    expect(problems()).toContain('no line records intent i1');
  });

  it.each([
    [
      'run',
      `INSERT INTO runs (id, session_id, task, workspace, provider, isolation, options, status, owner, created_at)
       SELECT 'run-2', session_id, task, workspace, provider, isolation, options, status, owner, created_at FROM runs`,
      'no line records run run-2',
    ],
    [
      'raise of a budget',
      `INSERT INTO budget_raises VALUES ('r1', 'run', 'run-1', 5000000, NULL, '2026-01-01')`,
      'no line records raise r1',
    ],
    [
      'trust',
      `INSERT INTO trust VALUES ('clerk', 2, 'autonomous', 99, 0, 0, '2026-01-01')`,
      'no line records trust of clerk (tier 2)',
    ],
    [
      'remembered answer',
      `INSERT INTO remembered_answers VALUES
         ('m1', 'approve', NULL, 'clerk', 'c1', '/w', 'terminal.write', '*', NULL, 0, NULL, '2026-01-01', 'cli', NULL)`,
      'no line records remembered answer m1',
    ],
    [
      'agreement to a capsule',
      `INSERT INTO agreed_capsules VALUES ('clerk', '/agents/clerk', 'c1', '2026-01-01', 'person')`,
      'no line records agreement to clerk (dir /agents/clerk)',
    ],
  ])('finds a %s that nobody made', (_what, sql, problem) => {
    write();
    edit(sql);
    expect(problems()).toEqual([problem]);
  });

  it('covers trust, remembered answers, approvals, raises and how runs end', () => {
    write();
    const audit = createAudit(db, () => new Date(), noSecrets);
    const trust = createTrustStore(db, audit, () => new Date());
    const about = { capsuleId: 'clerk', intentId: 'i1', runId: 'run-1' };
    trust.note({ ...about, tier: 2, event: 'approved_success' });
    trust.note({ ...about, tier: 1, event: 'approved_success' });
    trust.reset('clerk', { actor: 'person:cli', tier: 1 });
    const agreed = { capsuleId: 'clerk', dir: '/agents/clerk', hash: 'c1', by: 'first_seen' };
    createAgreedCapsules(db, () => new Date(), createAgreedFiles(db, noSecrets)).agree(agreed);
    const line = { actor: 'policy', runId: null, ref: 'clerk', detail: agreed };
    audit.append({ ...line, action: 'capsule.agreed' });
    const blank = { detail: {}, runId: 'run-1', ref: 'run-1', actor: 'coordinator' };
    edit(`UPDATE runs SET status = 'completed', answer = 'done'`);
    audit.append({ ...blank, action: 'run.ended', detail: { status: 'completed' } });
    expect(problems()).toEqual([]);
    edit(`UPDATE trust SET approved = 49; UPDATE agreed_capsules SET hash = 'c2'`);
    edit(`UPDATE runs SET answer = 'nothing'`);
    expect(problems()).toEqual([
      'run run-1 was changed',
      'trust of clerk (tier 2) was changed',
      'agreement to clerk (dir /agents/clerk) was changed',
    ]);
    edit(`UPDATE runs SET status = 'failed'; DELETE FROM trust; DELETE FROM agreed_capsules`);
    expect(problems()).toEqual([
      'run run-1 was changed',
      'trust of clerk (tier 2) was removed from the journal',
      'agreement to clerk (dir /agents/clerk) was removed from the journal',
    ]);
  });

  it('has a line for a question that the end of its run closes', () => {
    write();
    const approvals = createApprovalStore(
      db,
      createAudit(db, () => new Date(), noSecrets),
      () => new Date(),
      noSecrets,
    );
    const open = approvals.draft(question);
    approvals.insert(open);
    approvals.close('run-1');
    expect(lines().at(-1)).toMatchObject({ action: 'approval.expired', ref: open.id });
    expect(problems()).toEqual([]);
  });

  it('accepts that the rows of a deleted run are gone if a line says so', () => {
    write();
    edit(`DELETE FROM runs WHERE id = 'run-1'`);
    expect(problems()).toHaveLength(5);
    createAudit(db, () => new Date(), noSecrets).append({
      actor: 'person:cli',
      action: 'run.deleted',
      runId: 'run-1',
      ref: 'run-1',
      detail: {},
    });
    expect(problems()).toEqual([]);
  });

  it('names the first hundred of many problems', () => {
    write();
    const audit = createAudit(db, () => new Date(), noSecrets);
    for (let index = 0; index < 150; index++) {
      audit.append({ actor: 'a', action: 'b.c', runId: null, ref: `${index}`, detail: {} });
    }
    edit(`UPDATE audit SET actor = 'x'`);
    expect(problems()).toHaveLength(100);
  });
});
