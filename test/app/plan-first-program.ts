import { writeSync } from 'node:fs';
import { openCapstan } from '../../src/app/open-capstan.ts';

/** A process whose one run waits with its plan for a person, until it is killed. Prints the run's id once the question is there. */
export async function main(): Promise<number> {
  const capstan = await openCapstan({
    env: process.env,
    cwd: process.cwd(),
    presence: () => true,
  });
  const run = await capstan.runs.start({
    ...{ task: 'Count to 3', capsule: 'counter', planFirst: true, isIsolationWaived: true },
    onEvent(event) {
      if (event.type === 'approval.asked') writeSync(1, `${event.run_id}\n`);
    },
  });
  await run.finished;
  await capstan.close();
  return 0;
}
