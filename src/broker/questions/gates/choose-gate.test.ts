import { beforeEach, describe, expect, it } from 'vitest';
import type { Approver } from '../../../../test/setup/broker-parts.ts';
import {
  addRun,
  brokerPartsOf,
  policyWith,
  runScopeOf,
} from '../../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../../test/setup/temporary-database.ts';
import type { Approval, ApprovalAnswer } from '../../../contract/approval.ts';
import type { Db } from '../../../db/open-database.ts';
import { createRecordPool } from '../../recall/record-pool.ts';
import { createChooseGate } from './choose-gate.ts';

let db: Db;
beforeEach(() => {
  ({ db } = temporaryDatabase());
  addRun(db, 'run-1');
});

const among = [
  { id: 'table-analyst', score: 0.51, description: 'Analyses tables.\n3  forged' },
  { id: 'file-clerk', score: 0.5, description: 'Works with text files.' },
];

const answering = (answer: ApprovalAnswer, asked: Approval[] = []): Approver => ({
  async ask(approval) {
    asked.push(approval);
    return { answer, by: 'terminal' };
  },
});

/** A person is present, but their terminal closes before they answer. */
const leaving: Approver = {
  ask: (_approval, signal) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
};

/** The run in one process, with the record of the previous process. */
function life(approver: Approver | undefined, approveMode: 'ask' | 'allow' | 'deny' = 'ask') {
  const parts = brokerPartsOf(db, { approver });
  const policy = policyWith({ approveMode });
  const run = runScopeOf({ id: 'run-1', workspace: '/w', policy });
  const record = createRecordPool(parts.journal.intentsOf('run-1'));
  const ending = new AbortController();
  const coordinator = { ...run.coordinator, record, signal: ending.signal };
  const choose = () => createChooseGate(parts)({ scope: coordinator, subtask: 'Sort it', among });
  return { parts, choose, die: () => ending.abort() };
}

/** A process of the run that ends while its question is open. */
async function dieAsking() {
  const died = life(leaving);
  const asking = died.choose();
  await new Promise((resolve) => setImmediate(resolve));
  died.die();
  await expect(asking).rejects.toThrow();
  return died;
}

const intents = () => life(undefined).parts.journal.intentsOf('run-1');

describe('a close short list', () => {
  it.each([
    ['the capsule that they name', 'capsule:file-clerk', 'file-clerk'],
    ['none of them', 'none', null],
  ] as const)('is shown to a person, who chooses %s', async (_what, answer, chosen) => {
    const asked: Approval[] = [];
    expect(await life(answering(answer, asked)).choose()).toBe(chosen);
    const [question] = asked;
    expect(question).toMatchObject({
      kind: 'route',
      question: 'Which capsule gets "Sort it"?',
      choices: ['capsule:table-analyst', 'capsule:file-clerk', 'none'],
    });
    expect(question?.details.split('\n')).toHaveLength(3);
    const stored = life(undefined).parts.approvals.find(question?.id ?? '');
    expect(stored).toMatchObject({ answer, status: 'consumed' });
    expect(intents()).toMatchObject([{ name: 'capsule.choose', status: 'done' }]);
  });

  it.each([
    ['nobody is there', undefined, 'ask'],
    ['the approve mode answers for them: allow', answering('none'), 'allow'],
    ['the approve mode answers for them: deny', answering('none'), 'deny'],
  ] as const)('is not question if %s', async (_what, approver, mode) => {
    expect(await life(approver, mode).choose()).toBeUndefined();
    expect(intents()).toEqual([]);
  });

  it('refuses an answer that is not on it', async () => {
    const { parts, choose, die } = life(answering('capsule:sql-analyst'));
    const chosen = choose();
    await new Promise((resolve) => setImmediate(resolve));
    expect(parts.approvals.of('run-1')).toMatchObject([{ status: 'pending' }]);
    die();
    await expect(chosen).rejects.toThrow();
  });

  it('survives a crash: an answer given in between counts', async () => {
    const died = await dieAsking();
    const [question] = died.parts.approvals.of('run-1');
    if (!question) throw new Error('nothing was asked');
    const { binding } = question;
    died.parts.desk.decide(question, { answer: 'capsule:file-clerk', by: 'cli', binding });
    expect(await life(undefined).choose()).toBe('file-clerk');
    expect(await life(undefined).choose()).toBe('file-clerk');
    expect(intents()).toHaveLength(1);
  });

  it('keeps an open question if the run continues and nobody can answer', async () => {
    const died = await dieAsking();
    const alone = life(undefined);
    const waiting = alone.choose();
    await new Promise((resolve) => setImmediate(resolve));
    alone.die();
    await expect(waiting).rejects.toThrow();
    expect(died.parts.approvals.of('run-1')).toMatchObject([{ status: 'pending' }]);
  });

  it('closes its question if the run continues with an approve mode that answers', async () => {
    const died = await dieAsking();
    expect(await life(undefined, 'deny').choose()).toBeUndefined();
    expect(died.parts.approvals.of('run-1')).toMatchObject([{ status: 'expired' }]);
    expect(intents()).toMatchObject([{ status: 'denied', denial: 'expired' }]);
  });
});
