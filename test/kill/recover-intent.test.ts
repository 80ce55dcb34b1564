import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AttemptScope } from '../../src/broker/intent/scope.ts';
import { propose } from '../../src/broker/intent/transitions.ts';
import { recoverIntent } from '../../src/broker/recall/recover-intent.ts';
import type { IntentRecord } from '../../src/contract/intent.ts';
import type { Stores } from '../../src/coordinator/store/create-stores.ts';
import { openStores } from '../../src/coordinator/store/open-stores.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { addRun } from '../setup/broker-parts.ts';

let dir: string;
let stores: Stores;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-recover-'));
  stores = openStores(dir, { redactor: noSecrets });
  addRun(stores.db, 'run-1');
});
afterEach(() => {
  stores.close();
  rmSync(dir, { recursive: true, force: true });
});

const scope = {
  run: { id: 'run-1' },
  attemptId: null,
  subtaskId: 's1',
  capsuleId: 'clerk',
} as unknown as AttemptScope;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** An append that had started, from `old` to `new`, with an answer that was used for it. */
function startedAppend(): IntentRecord {
  const proposed = propose(scope, stores.now, {
    kind: 'tool',
    name: 'file_io.append',
    target: 'a.txt',
    tier: 1,
    request: { path: 'a.txt' },
    reason: '',
  });
  const effect = {
    path: join(dir, 'a.txt'),
    before: sha256('old'),
    after: sha256('new'),
    diff: null,
  };
  const started: IntentRecord = { ...proposed, status: 'started', effects: [effect] };
  const question = stores.approvals.draft({
    ...{ intentId: started.id, runId: 'run-1', subtaskId: 's1', capsuleId: 'clerk', kind: 'tool' },
    ...{ question: 'Append?', why: '', details: '', capsuleReason: '', operation: started.name },
    ...{ target: 'a.txt', tier: 1, costMicroUsd: 0, requestHash: started.requestHash },
    ...{ workspace: dir, capsuleHash: '', binding: 'b', policyVersion: '', isForced: false },
    ...{ choices: ['approve', 'deny'], expiresAt: null },
  });
  stores.journal.save(started, () => {
    stores.approvals.insert(question);
    stores.approvals.decide(question.id, { answer: 'approve', by: 'cli', binding: 'b' });
    stores.approvals.consume(question.id);
  });
  return started;
}

function recover(intent: IntentRecord): IntentRecord {
  let recovered = intent;
  const run = { workspace: dir, policyVersion: '' };
  stores.journal.commit(() => {
    recovered = recoverIntent(intent, { ...stores, run, capsuleHash: '' });
  });
  return recovered;
}

describe('an append that had started when its process died', () => {
  const statuses = () =>
    stores.approvals.of('run-1').map(({ kind, status }) => `${kind} ${status}`);

  it('was done if the file has the intended content', () => {
    writeFileSync(join(dir, 'a.txt'), 'new');
    expect(recover(startedAppend())).toMatchObject({ status: 'done', outcome: { ok: true } });
    expect(statuses()).toEqual(['tool consumed']);
  });

  it('keeps its answer if the file is unchanged: nobody is asked again', () => {
    writeFileSync(join(dir, 'a.txt'), 'old');
    expect(recover(startedAppend())).toMatchObject({ status: 'waiting', startedAt: null });
    expect(statuses()).toEqual(['tool answered']);
  });

  it('is a question to a person if the file proves nothing', () => {
    writeFileSync(join(dir, 'a.txt'), 'edited meanwhile');
    expect(recover(startedAppend())).toMatchObject({ status: 'unknown' });
    expect(statuses()).toEqual(['tool consumed', 'unknown pending']);
  });
});

describe('a move that had started when its process died', () => {
  const effects = [
    { path: 'a.txt', before: sha256('old'), after: 'absent' },
    { path: 'b.txt', before: 'absent', after: sha256('old') },
  ];

  function startedMove(): IntentRecord {
    const proposed = propose(scope, stores.now, {
      ...{ kind: 'tool', name: 'file_io.move', target: 'a.txt -> b.txt', tier: 1, reason: '' },
      ...{ request: { path: 'a.txt', to: 'b.txt' }, repeatability: 'idempotent' },
    });
    const full = effects.map((one) => ({ ...one, path: join(dir, one.path), diff: null }));
    const started: IntentRecord = { ...proposed, status: 'started', effects: full };
    stores.journal.save(started);
    return started;
  }

  it('was done if only the new name is there, and the file counts as written by the run', () => {
    writeFileSync(join(dir, 'b.txt'), 'old');
    const result = {
      path: 'b.txt',
      from: 'a.txt',
      bytes: 3,
      sha256: sha256('old'),
      replaced: false,
    };
    expect(recover(startedMove())).toMatchObject({ status: 'done', outcome: { ok: true, result } });
    expect(stores.files.writtenBy('run-1').map(({ path }) => path)).toEqual([join(dir, 'b.txt')]);
    expect(stores.files.knownTo('run-1', join(dir, 'a.txt'))).toBe('absent');
    expect(stores.files.lastWritten('run-1', join(dir, 'b.txt'))).toBeUndefined();
  });

  it.each([
    ['the old name is there', ['a.txt']],
    ['both names are there', ['a.txt', 'b.txt']],
  ])('is performed again if %s', (_what, names) => {
    for (const name of names) writeFileSync(join(dir, name), 'old');
    expect(recover(startedMove())).toMatchObject({ status: 'proposed', startedAt: null });
  });
});
