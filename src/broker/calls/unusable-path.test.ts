import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addRun, brokerPartsOf, policyWith, runScopeOf } from '../../../test/setup/broker-parts.ts';
import { temporaryDatabase } from '../../../test/setup/temporary-database.ts';
import { toolbox } from '../../tools/toolbox.ts';
import { createBroker } from '../answer.ts';

const LONG = 'n'.repeat(300);

it.each([
  [{ operation: 'read', path: 'a.txt/b' }, 'a part of its path is a file'],
  [{ operation: 'write', path: 'a.txt/b', content: 'x' }, 'a part of its path is a file'],
  [{ operation: 'edit', path: LONG, old_text: 'a', new_text: 'b' }, 'its name is too long'],
  [{ operation: 'write', path: LONG, content: 'x' }, 'its name is too long'],
  [{ operation: 'move', path: 'a.txt', to: 'a.txt/b' }, 'a part of its path is a file'],
  [{ operation: 'delete', path: LONG }, 'its name is too long'],
  [{ operation: 'list', path: LONG }, 'the name is too long'],
])('a call with a path that cannot be used fails, and nobody is asked: %j', async (args, why) => {
  const { dir: workspace, db } = temporaryDatabase();
  addRun(db, 'run-1');
  writeFileSync(join(workspace, 'a.txt'), 'a\n');
  const parts = brokerPartsOf(db, { tools: toolbox });
  const grants = new Map([['file_io', { paths: ['**'] }]]);
  const { coordinator } = runScopeOf({ id: 'run-1', workspace, policy: policyWith({}) }, grants);
  const reply = await createBroker(parts).answer(
    { type: 'tool_call_intent', tool: 'file_io', args, reason: 'because' },
    coordinator,
  );
  expect(reply).toMatchObject({ ok: false, error: { message: expect.stringContaining(why) } });
  expect(parts.journal.intentsOf('run-1')).toMatchObject([{ status: 'failed' }]);
});
