import { openStores } from '../../src/coordinator/store/open-stores.ts';
import { noSecrets } from '../../src/policy/secrets/redact.ts';

/** One of several processes that answer the same questions: its arguments are the state folder and its name. Prints the ids that it won. */
export async function main([stateDir = '', by = '']: readonly string[]): Promise<number> {
  const stores = openStores(stateDir, { redactor: noSecrets });
  const questions = stores.approvals.pending();
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const mixed = questions
    .map((question) => ({ question, at: Math.random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ question }) => question);
  const won = mixed.filter((question) =>
    stores.desk.decide(question, { answer: 'approve', by, binding: question.binding }),
  );
  stores.close();
  process.stdout.write(`${JSON.stringify(won.map(({ id }) => id))}\n`);
  return 0;
}
