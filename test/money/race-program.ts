import { openDatabase } from '../../src/db/open-database.ts';
import { openProvider } from '../../src/llm/providers.ts';
import { asVendor, openMoneyBroker } from './money-broker.ts';

/**
 * One of several processes that compete for the same limit: its argument is the JSON of `Race`; prints how its calls
 * ended.
 */
export interface Race {
  readonly path: string;
  readonly baseUrl: string;
  readonly runId: string;
  /** One call each. */
  readonly capsules: readonly string[];
  readonly runMicroUsd: number;
  readonly dayMicroUsd: number;
  readonly runTokens?: number;
  readonly capsuleRunMicroUsd?: number;
}

export async function main([json = '{}']: readonly string[]): Promise<number> {
  const race = JSON.parse(json) as Race;
  const db = openDatabase(race.path);
  const provider = await openProvider('openai', {
    keys: { openai: 'key-of-the-test' },
    baseUrl: race.baseUrl,
    models: { fast: 'gpt-4o' },
  });
  const ground = openMoneyBroker(db, {
    provider: asVendor(provider),
    runId: race.runId,
    limits: {
      runMicroUsd: race.runMicroUsd,
      dayMicroUsd: race.dayMicroUsd,
      runTokens: race.runTokens,
    },
    capsuleBudgets: new Map(
      race.capsuleRunMicroUsd === undefined
        ? []
        : [['*', { runMicroUsd: race.capsuleRunMicroUsd }]],
    ),
  });
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const replies = await Promise.all(race.capsules.map((capsule) => ground.chat(capsule)));
  ground.parts.journal.flush();
  db.close();
  provider.close();
  process.stdout.write(`${JSON.stringify(replies.map(({ error }) => error?.code ?? 'ok'))}\n`);
  return 0;
}
