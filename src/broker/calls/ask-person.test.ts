import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Approver,
  addRun,
  brokerPartsOf,
  type PolicyChanges,
  policyWith,
  runScopeOf,
} from '../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import type { ToolCallResult } from '../../contract/wire/coordinator-messages.ts';
import type { Db } from '../../db/open-database.ts';
import { createRedactor } from '../../policy/secrets/redact.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { createBroker } from '../answer.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import type { AttemptScope } from '../intent/scope.ts';
import { createRecordPool } from '../recall/record-pool.ts';
import type { BrokerParts } from './parts.ts';

let dir: string;
let db: Db;
beforeEach(() => {
  ({ dir, db } = temporaryDatabase());
  addRun(db, 'run-1');
  db.exec(`INSERT INTO subtasks (run_id, id, phase, position, description, depends_on, status)
    VALUES ('run-1', 's1', 'execution', 0, 'a subtask', '[]', 'running')`);
});
const lives: { readonly desk: BrokerParts['desk'] }[] = [];
afterEach(() => {
  for (const { desk } of lives.splice(0)) desk.close();
});

const saying = (answer: string): Approver => ({ ask: async () => ({ answer, by: 'terminal' }) });
const silent: Approver = { ask: async () => undefined };
const QUESTION = { question: 'Which column is the date?', choices: ['order_date', 'shipped_at'] };

interface Life extends Pick<Partial<BrokerParts>, 'redactor' | 'approvalDeadlineMs'> {
  readonly approver?: Approver;
  readonly policy?: PolicyChanges;
  readonly scope?: Partial<AttemptScope>;
}

/** A running capsule without any grant. */
function life({ policy, scope: changes, ...rest }: Life = {}) {
  const parts = brokerPartsOf(db, { tools: toolbox, ...rest });
  lives.push(parts);
  const run = runScopeOf({ id: 'run-1', workspace: dir, policy: policyWith(policy) });
  const scope = { ...run.coordinator, ...changes };
  const broker = createBroker(parts);
  const ask = async (args: Record<string, unknown> = QUESTION) => {
    const intent = { type: 'tool_call_intent', id: 'i1', tool: 'ask_person', args } as const;
    return (await broker.answer({ ...intent, reason: 'it matters' }, scope)) as ToolCallResult;
  };
  const asked = () => parts.approvals.of('run-1');
  return { parts, run, ask, asked };
}

describe('a question of a capsule to the person', () => {
  it('needs no grant, and its answer is the result of the call', async () => {
    const { ask, asked, run, parts } = life({ approver: saying('shipped_at') });
    expect(await ask()).toEqual({
      type: 'tool_call_result',
      ok: true,
      result: { answer: 'shipped_at' },
      origin: 'the person',
    });
    parts.journal.flush();
    expect(asked()).toMatchObject([
      {
        kind: 'question',
        question: 'clerk asks: Which column is the date?',
        why: 'The capsule reads your answer. Do not type keys or passwords.',
        choices: ['order_date', 'shipped_at'],
        freeText: false,
        tier: 0,
        answer: 'shipped_at',
        status: 'consumed',
      },
    ]);
    expect(parts.journal.intentsOf('run-1')).toMatchObject([
      { name: 'ask_person', tier: 0, status: 'done', rule: 'ask_person' },
    ]);
    expect(run.hasReadPrivate).toBe(true);
    // The run of the test has no line of its own.
    expect(verifyAudit(db).problems.map(({ seq }) => seq)).toEqual([0]);
  });

  it('accepts free text only if the capsule allows it', async () => {
    const { parts, ask, asked } = life({ approver: silent });
    void ask();
    await expect.poll(asked).toHaveLength(1);
    const [closed] = asked();
    if (!closed) throw new Error('nothing was asked');
    const { binding } = closed;
    expect(parts.desk.decide(closed, { answer: 'neither', by: 'cli', binding })).toBe(false);
    const open = life({ approver: saying('in my own words') });
    expect(await open.ask({ question: 'What is the aim?' })).toMatchObject({
      result: { answer: 'in my own words' },
    });
    const both = { ...QUESTION, free_text: true };
    expect(await life({ approver: saying('neither') }).ask(both)).toMatchObject({ ok: true });
  });

  it.each(['allow', 'deny'] as const)('is not asked if the approve mode is %s', async (mode) => {
    const { ask, asked } = life({
      approver: saying('order_date'),
      policy: { approveMode: mode },
    });
    expect(await ask()).toMatchObject({ ok: false, error: { code: 'nobody_available' } });
    expect(asked()).toEqual([]);
  });

  it('ends without an answer once its deadline is over, and is asked again after a resume', async () => {
    const { ask, parts } = life({ approver: silent, approvalDeadlineMs: 30 });
    expect(await ask()).toMatchObject({ ok: false, error: { code: 'nobody_available' } });
    const [row] = parts.journal.intentsOf('run-1');
    expect(row).toMatchObject({ status: 'denied', denial: 'expired' });
    const record = createRecordPool(row ? [row] : []);
    const later = life({ approver: saying('order_date'), scope: { record } });
    expect(await later.ask()).toMatchObject({ result: { answer: 'order_date' } });
  });

  it.each(['before', 'after'])(
    'survives the death of its process and is asked once, answered %s the next one starts',
    async (when) => {
      const over = new AbortController();
      const first = life({ approver: silent, scope: { signal: over.signal } });
      const dying = first.ask();
      await expect.poll(first.asked).toHaveLength(1);
      over.abort();
      expect(await dying).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
      const answer = (by: typeof first) => {
        const [question] = first.asked();
        if (!question) throw new Error('nothing was asked');
        const { binding } = question;
        by.parts.desk.decide(question, { answer: 'shipped_at', by: 'cli', binding });
      };
      if (when === 'before') answer(first);
      const record = createRecordPool(first.parts.journal.intentsOf('run-1'));
      const second = life({ approver: silent, scope: { record } });
      const going = second.ask();
      if (when === 'after') answer(second);
      expect(await going).toMatchObject({ result: { answer: 'shipped_at' } });
      expect(second.asked()).toHaveLength(1);
      second.parts.journal.flush();
      const third = life({
        scope: { record: createRecordPool(second.parts.journal.intentsOf('run-1')) },
      });
      expect(await third.ask()).toMatchObject({ result: { answer: 'shipped_at' } });
    },
  );

  it('removes known secrets from the answer, in the row and for the capsule', async () => {
    const secret = 'a-very-long-and-secret-token';
    const redactor = createRedactor([secret]);
    const { ask, asked } = life({ approver: saying(`use ${secret}`), redactor });
    const reply = await ask({ question: 'Which one?' });
    expect(JSON.stringify([reply, asked()])).not.toContain(secret);
    expect(reply).toMatchObject({ ok: true, result: { answer: expect.stringContaining('use ') } });
  });

  it('shows a question of several lines in full', async () => {
    const { ask, asked } = life({ approver: saying('x') });
    const question = `First line\nsecond line ${'long '.repeat(100)}`;
    await ask({ question });
    expect(asked()).toMatchObject([{ question: 'clerk asks: First line', details: question }]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['no question', { choices: ['a'] }],
    ['a blank question', { question: ' ' }],
    ['five choices', { question: 'Which?', choices: ['a', 'b', 'c', 'd', 'e'] }],
    ['the same choice twice', { question: 'Which?', choices: ['a', 'a'] }],
    ['no way to answer', { question: 'Which?', free_text: false }],
  ])('is refused with %s', async (_what, args) => {
    const { ask, asked } = life({ approver: saying('a') });
    expect(await ask(args)).toMatchObject({ ok: false, error: { code: 'TOOL_ARGS_INVALID' } });
    expect(asked()).toEqual([]);
  });
});
