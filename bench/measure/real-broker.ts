import { join } from 'node:path';
import type { BrokerParts } from '../../src/broker/calls/parts.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { createRedactor } from '../../src/policy/secrets/redact.ts';
import type { Tool } from '../../src/tools/define/tool.ts';
import { addRun, brokerPartsOf, policyWith, runScopeOf } from '../../test/setup/broker-parts.ts';

const UNLIMITED = { runMicroUsd: 1e15, dayMicroUsd: 1e15, runMicroUsdSetByPerson: true };

/** A real broker with a real database in `dir`, for tools that do nothing. A gate allows all writes. */
export async function openRealBroker(
  dir: string,
  tools: readonly Tool[],
  changes: Pick<BrokerParts, 'provider'> | undefined = undefined,
) {
  const db = openDatabase(join(dir, 'capstan.db'));
  addRun(db, 'run-1');
  const parts = brokerPartsOf(db, {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    redactor: createRedactor(['a-secret-of-the-person-that-is-long']),
    limits: { maxIntents: Number.POSITIVE_INFINITY },
    ...changes,
  });
  const policy = policyWith({ gates: { write: 'allow' }, budget: UNLIMITED });
  const grants = new Map([['file_io', { paths: ['**'] }]]);
  const scopeOf = () => runScopeOf({ id: 'run-1', workspace: dir, policy }, grants).coordinator;
  return { db, parts, scopeOf };
}
