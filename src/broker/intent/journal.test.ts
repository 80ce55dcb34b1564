import { beforeEach, describe, expect, it } from 'vitest';
import { blankIntent } from '../../../test/setup/blank-intent.ts';
import { addRun } from '../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Db } from '../../db/open-database.ts';
import { uuidv7 } from '../../db/uuidv7.ts';
import { canonicalHash, canonicalJson } from '../../platform/text/canonical-hash.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { createAudit } from '../audit/audit.ts';
import { covers } from '../audit/covers.ts';
import { createFileLedger } from './file-ledger.ts';
import { INTENT_COLUMNS } from './intent-rows.ts';
import { createJournal } from './journal.ts';

let db: Db;
const runId = 'run-1';
beforeEach(() => {
  ({ db } = temporaryDatabase());
  addRun(db, runId);
});

const intent = (changes: Partial<IntentRecord> = {}) => blankIntent({ id: uuidv7(), ...changes });
const rowCount = () => db.prepare('SELECT count(*) FROM intents').pluck().get();

describe('the journal', () => {
  it('returns intents in the order in which they were first saved, with their outcome', () => {
    const journal = createJournal(
      db,
      createAudit(db, () => new Date(), noSecrets),
      noSecrets,
    );
    const first = intent({ status: 'done', outcome: { ok: true, result: { content: 'ü\n' } } });
    const second = intent({ name: 'file_io.write', tier: 1 });
    journal.saveSoon(first);
    journal.save(second);
    journal.save({ ...second, status: 'done', outcome: { ok: true } });
    expect(journal.intentsOf(runId)).toEqual([
      first,
      { ...second, status: 'done', outcome: { ok: true } },
    ]);
  });

  it('writes pending rows in the same transaction before anything with an effect', () => {
    const journal = createJournal(
      db,
      createAudit(db, () => new Date(), noSecrets),
      noSecrets,
    );
    journal.saveSoon(intent());
    expect(rowCount()).toBe(0);
    journal.save(intent({ tier: 1, status: 'started' }), () => expect(rowCount()).toBe(2));
    expect(rowCount()).toBe(2);
  });

  it('writes pending rows by itself when nothing else does', async () => {
    const journal = createJournal(
      db,
      createAudit(db, () => new Date(), noSecrets),
      noSecrets,
    );
    journal.saveSoon(intent());
    await expect.poll(rowCount).toBe(1);
  });

  it('writes rows that were queued inside a transaction as part of it', () => {
    const journal = createJournal(
      db,
      createAudit(db, () => new Date(), noSecrets),
      noSecrets,
    );
    const waiting = intent({ status: 'started' });
    journal.save(waiting);
    journal.commit(() => journal.saveSoon({ ...waiting, status: 'unknown' }));
    expect(db.prepare('SELECT status FROM intents').pluck().all()).toEqual(['unknown']);
  });

  it('keeps pending rows when a transaction fails', () => {
    const journal = createJournal(
      db,
      createAudit(db, () => new Date(), noSecrets),
      noSecrets,
    );
    journal.saveSoon(intent());
    expect(() =>
      journal.commit(() => {
        throw new Error('disk full');
      }),
    ).toThrow('disk full');
    expect(rowCount()).toBe(0);
    journal.flush();
    expect(rowCount()).toBe(1);
  });

  it('writes every value again after a transaction failed', () => {
    const journal = createJournal(
      db,
      createAudit(db, () => new Date(), noSecrets),
      noSecrets,
    );
    const first = intent({ tier: 1, status: 'started' });
    journal.save(first);
    const reserved: IntentRecord = { ...first, reservedMicroUsd: 7, facts: { v: 1 } };
    expect(() =>
      journal.save(reserved, () => {
        throw new Error('disk full');
      }),
    ).toThrow('disk full');
    const done: IntentRecord = { ...reserved, status: 'done', outcome: { ok: true } };
    journal.save(done);
    expect(journal.intentsOf(runId)).toEqual([done]);
  });

  it('writes every value of an intent that another process has ended', () => {
    const journal = createJournal(
      db,
      createAudit(db, () => new Date(), noSecrets),
      noSecrets,
    );
    const started = intent({ tier: 1, status: 'started', costMicroUsd: 3 });
    journal.save(started);
    db.exec("UPDATE intents SET status = 'unknown', cost_micro_usd = 9");
    const done: IntentRecord = { ...started, status: 'done', outcome: { ok: true } };
    journal.save(done);
    expect(journal.intentsOf(runId)).toEqual([done]);
  });
});

describe('the file ledger', () => {
  const file = (changes = {}) => ({
    runId,
    subtaskId: 's1',
    path: '/w/a.txt',
    sha256: 'one',
    bytes: 3,
    wasWritten: false,
    ...changes,
  });

  it('knows what a run has read before the row is written', () => {
    const files = createFileLedger(db);
    files.note(file());
    expect(files.knownTo(runId, '/w/a.txt')).toBe('one');
    expect(files.knownTo('another run', '/w/a.txt')).toBeUndefined();
  });

  it('lists what the run wrote, and remembers for later runs what Capstan created', () => {
    const files = createFileLedger(db);
    files.save(file());
    const two = canonicalHash('two');
    const created = { before: 'absent', wasWritten: true };
    files.save(file({ ...created, sha256: two, bytes: 5, subtaskId: 's2' }));
    files.save(file({ path: '/w/big.bin', sha256: 'stat:5:1:1', bytes: 5, wasWritten: true }));
    files.save(file({ path: '/w/read.txt' }));
    expect(files.writtenBy(runId)).toEqual([
      { path: '/w/a.txt', sha256: two, bytes: 5, subtaskId: 's2' },
      { path: '/w/big.bin', sha256: null, bytes: 5, subtaskId: 's1' },
    ]);
    expect(files.lastWritten('another run', '/w/a.txt')).toBe(two);
    expect(files.lastWritten(runId, '/w/big.bin')).toBe('stat:5:1:1');
    expect(files.lastWritten('another run', '/w/big.bin')).toBeUndefined();
    files.save(file({ sha256: two, bytes: 5, wasWritten: true }));
    expect(files.lastWritten('another run', '/w/a.txt')).toBe(two);
    expect(files.lastWritten(runId, '/w/read.txt')).toBeUndefined();
  });
});

describe('canonical JSON', () => {
  it('is the same for equal values with any order of keys', () => {
    const left = { b: [1, { d: 'x', c: null }], a: true };
    const right = { a: true, b: [1, { c: null, d: 'x' }] };
    expect(canonicalJson(left)).toBe('{"a":true,"b":[1,{"c":null,"d":"x"}]}');
    expect(canonicalHash(left)).toBe(canonicalHash(right));
    expect(canonicalHash(left)).not.toBe(canonicalHash({ ...left, a: false }));
  });

  it('keeps a key named __proto__ as data', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1},"a":2}'))).toBe(
      '{"__proto__":{"x":1},"a":2}',
    );
  });
});

describe('the audit', () => {
  it('covers every column of an intent, in the order of its row', () => {
    const cover = covers.find(({ table }) => table === 'intents');
    expect(cover?.columns).toEqual(INTENT_COLUMNS);
  });
});
