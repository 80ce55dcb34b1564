import { writeSync } from 'node:fs';
import { openCapstan } from '../../src/app/open-capstan.ts';

/**
 * One process that executes one run per argument, all at the same time: `<capsule>:<task>`. Prints a JSON line when a
 * run starts, when its capsule works, and when it ends.
 */
export async function main(runs: readonly string[]): Promise<number> {
  const capstan = await openCapstan({ env: process.env, cwd: process.cwd() });
  const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);
  await Promise.all(
    runs.map(async (argument) => {
      const [capsule, task = ''] = argument.split(':');
      const { id, finished } = await capstan.runs.start({
        task,
        capsule,
        isIsolationWaived: true,
        onEvent(event) {
          if (event.type === 'run.started') say({ started: event.run_id, task });
          if (event.type === 'capsule.started') say({ working: event.run_id });
        },
      });
      const { status, reason } = await finished;
      say({ ended: id, status, reason });
    }),
  );
  await capstan.close();
  return 0;
}
