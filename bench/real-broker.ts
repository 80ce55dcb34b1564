import { join } from 'node:path';
import { openDatabase } from '../src/db/open-database.ts';
import { createRedactor } from '../src/policy/redact.ts';
import type { Tool } from '../src/tools/tool.ts';
import { addRun, brokerPartsOf, policyWith, runScopeOf } from '../test/broker-parts.ts';

/** A real broker over a real database in `dir`, for tools that do nothing. What it writes is allowed by a gate. */
export async function openRealBroker(dir: string, tools: readonly Tool[]) {
  const db = openDatabase(join(dir, 'capstan.db'));
  addRun(db, 'run-1');
  const parts = brokerPartsOf(db, {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    redactor: createRedactor(['a-secret-of-the-person-that-is-long']),
    maxIntents: Number.POSITIVE_INFINITY,
  });
  const policy = policyWith({ gates: { write: 'allow' } });
  const grants = new Map([['file_io', { paths: ['**'] }]]);
  const scopeOf = () => runScopeOf({ id: 'run-1', workspace: dir, policy }, grants).coordinator;
  return { db, parts, scopeOf };
}
