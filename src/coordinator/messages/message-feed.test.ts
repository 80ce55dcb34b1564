import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { addRun, brokerPartsOf, policyWith, runScopeOf } from '../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import { createBroker } from '../../broker/answer.ts';
import { createAudit } from '../../broker/audit/audit.ts';
import { verifyAudit } from '../../broker/audit/verify-audit.ts';
import { createRecordPool } from '../../broker/recall/record-pool.ts';
import type { ToolCallResult } from '../../contract/wire/coordinator-messages.ts';
import { type Db, openDatabase } from '../../db/open-database.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { createMessageStore } from '../store/message-store.ts';
import { createMessageFeed } from './message-feed.ts';

let dir: string;
let db: Db;
beforeEach(() => {
  ({ dir, db } = temporaryDatabase());
  writeFileSync(join(dir, 'a.txt'), 'a');
  addRun(db, 'run-1');
  db.exec(`INSERT INTO subtasks (run_id, id, phase, position, description, depends_on, status)
    VALUES ('run-1', 's1', 'execution', 0, 'a subtask', '[]', 'running')`);
});

const now = () => new Date();
const messagesOf = (on: Db) =>
  createMessageStore(on, createAudit(on, now, noSecrets), now, noSecrets);
const say = (text: string, on = db) => messagesOf(on).add({ runId: 'run-1', text, by: 'test' });

/** One attempt; `isNext`: it continues the one before. */
function attempt({ given = [], isNext = false }: { given?: string[]; isNext?: boolean } = {}) {
  const approver = { ask: async () => ({ answer: 'it_happened', by: 'terminal' }) as const };
  const parts = brokerPartsOf(db, { tools: toolbox, approver });
  const run = runScopeOf({ id: 'run-1', workspace: dir, policy: policyWith() }, GRANTS);
  const recorded = parts.journal.intentsOf('run-1');
  const scope = {
    ...run.coordinator,
    messages: createMessageFeed(messagesOf(db), 'run-1', given),
    ...(isNext && { record: createRecordPool(recorded) }),
  };
  const broker = createBroker(parts);
  let sent = 0;
  const ask = async (args: Record<string, unknown> = { operation: 'read', path: 'a.txt' }) => {
    sent += 1;
    const intent = { type: 'tool_call_intent', id: `i${sent}`, tool: 'file_io', args } as const;
    const reply = (await broker.answer({ ...intent, reason: '' }, scope)) as ToolCallResult;
    parts.journal.flush();
    return reply.messages;
  };
  return { ask };
}

const GRANTS = new Map([['file_io', { paths: ['**'] }]]);

describe('a message to a run', () => {
  it('arrives with the next reply of each attempt, once, also if another process wrote it', async () => {
    const [one, two] = [attempt(), attempt()];
    expect(await one.ask()).toBeUndefined();
    const other = openDatabase(join(dir, 'capstan.db'));
    say('In French, please', other);
    other.close();
    say('And short');
    expect(await one.ask()).toEqual(['In French, please', 'And short']);
    expect(await one.ask()).toBeUndefined();
    expect(await two.ask()).toEqual(['In French, please', 'And short']);
    say('And short');
    expect(await one.ask()).toEqual(['And short']);
  });

  it('is not repeated in replies if the request of the attempt has it', async () => {
    say('In French, please');
    const one = attempt({ given: ['In French, please'] });
    expect(await one.ask()).toBeUndefined();
    say('And short');
    expect(await one.ask()).toEqual(['And short']);
  });

  it.each([
    ['is denied', { operation: 'read', path: '../other.txt' }],
    ['has bad arguments', { operation: 'dance' }],
    ['fails', { operation: 'read', path: 'missing.txt' }],
  ])('also arrives with a request that %s', async (_what, args) => {
    const one = attempt();
    say('Stop that');
    expect(await one.ask(args)).toEqual(['Stop that']);
    expect(await one.ask()).toBeUndefined();
  });

  it('is in the record, so that an attempt that continues gets it at the same place', async () => {
    const first = attempt();
    await first.ask();
    say('In French, please');
    await first.ask({ operation: 'list' });
    await first.ask();
    const again = attempt({ isNext: true });
    expect(await again.ask()).toBeUndefined();
    expect(await again.ask({ operation: 'list' })).toEqual(['In French, please']);
    expect(await again.ask()).toBeUndefined();
    expect(await again.ask()).toBeUndefined();
  });

  it('arrives with a request whose outcome a person confirmed after a crash', async () => {
    const append = { operation: 'append', path: 'new.txt', content: 'a' };
    await attempt().ask(append);
    db.exec("UPDATE intents SET status = 'unknown', outcome = NULL, ended_at = NULL");
    say('Delete it first');
    const again = attempt({ isNext: true });
    expect(await again.ask(append)).toEqual(['Delete it first']);
    expect(await again.ask()).toBeUndefined();
  });

  it('that arrived while nothing ran comes with the last recorded reply, and stays there', async () => {
    const first = attempt();
    await first.ask();
    await first.ask({ operation: 'list' });
    say('In French, please');
    for (let life = 0; life < 2; life++) {
      const again = attempt({ isNext: true });
      expect(await again.ask()).toBeUndefined();
      expect(await again.ask({ operation: 'list' })).toEqual(['In French, please']);
      if (life === 1) expect(await again.ask()).toBeUndefined();
    }
    const problems = verifyAudit(db).problems.map(({ problem }) => problem);
    expect(problems.filter((one) => one.includes('intent'))).toEqual([]);
  });
});
