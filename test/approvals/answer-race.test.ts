import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAudit } from '../../src/broker/audit/audit.ts';
import { verifyAudit } from '../../src/broker/audit/verify-audit.ts';
import { ownIdentity } from '../../src/coordinator/life/process-identity.ts';
import type { Stores } from '../../src/coordinator/store/create-stores.ts';
import { openStores } from '../../src/coordinator/store/open-stores.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { startProgram } from '../programs/start-program.ts';
import { addRun } from '../setup/broker-parts.ts';

const QUESTIONS = 300;
const PROCESSES = 6;

let dir: string;
let stores: Stores;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'capstan-answers-'));
  stores = openStores(dir, { redactor: noSecrets });
  addRun(stores.db, 'run-1', { owner: ownIdentity() });
  const about = { actor: 'person', runId: 'run-1', ref: 'run-1', detail: {} };
  stores.audit.append({ ...about, action: 'run.started' });
});
afterEach(() => {
  stores.close();
  rmSync(dir, { recursive: true, force: true });
});

function ask(at: number): string {
  const question = stores.approvals.draft({
    runId: 'run-1',
    intentId: null,
    subtaskId: 's1',
    capsuleId: 'clerk',
    kind: 'tool',
    question: `Run step ${at}?`,
    why: 'It runs a program.',
    details: '',
    capsuleReason: '',
    operation: 'terminal.write',
    target: `step ${at}`,
    tier: 2,
    costMicroUsd: 0,
    requestHash: `h${at}`,
    workspace: '/w',
    capsuleHash: 'c1',
    binding: `b${at}`,
    policyVersion: 'p1',
    isForced: false,
    choices: ['approve', 'deny'],
    expiresAt: null,
  });
  stores.audit.append({
    actor: 'policy',
    action: 'approval.asked',
    runId: 'run-1',
    ref: question.id,
    detail: {},
  });
  stores.approvals.insert(question);
  return question.id;
}

async function start(name: string) {
  const child = startProgram('answers', [dir, name]);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const ended = lines.next().then(({ value }) => JSON.parse(String(value)) as string[]);
  return { go: () => child.stdin.write('go\n'), ended };
}

describe(`${QUESTIONS} questions, answered by ${PROCESSES} processes at once`, () => {
  it('have one winner each, and a chain of audit lines without a gap', async () => {
    const ids: string[] = [];
    stores.journal.commit(() => {
      for (let at = 0; at < QUESTIONS; at++) ids.push(ask(at));
    });
    const names = Array.from({ length: PROCESSES }, (_, at) => `process-${at}`);
    const started = await Promise.all(names.map(start));
    for (const { go } of started) go();
    const won = await Promise.all(started.map(({ ended }) => ended));

    expect(won.flat().sort()).toEqual([...ids].sort());
    const answeredBy = new Map(stores.approvals.of('run-1').map((one) => [one.id, one.answeredBy]));
    for (const [at, name] of names.entries()) {
      for (const id of won[at] ?? []) expect(answeredBy.get(id)).toBe(name);
    }
    const answered = [...readAudit(stores.db)].filter(
      ({ action }) => action === 'approval.answered',
    );
    expect(answered).toHaveLength(QUESTIONS);
    expect(verifyAudit(stores.db).problems).toEqual([]);
  });
});
