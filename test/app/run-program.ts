import { writeSync } from 'node:fs';
import { openCapstan } from '../../src/app/open-capstan.ts';
import { processEnvironment } from '../../src/config/environment.ts';

/**
 * One process that carries out a run per argument, all at the same time: `<capsule>:<task>`. Prints a JSON line when a
 * run starts and when it ends.
 */
const capstan = await openCapstan({ env: processEnvironment(), cwd: process.cwd() });
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);
await Promise.all(
  process.argv.slice(2).map(async (argument) => {
    const [capsule = '', task = ''] = argument.split(':');
    const run = await capstan.runs.start({
      task,
      capsule,
      isIsolationWaived: true,
      onEvent(event) {
        if (event.type === 'run.started') say({ started: event.run_id, task: event.task });
        if (event.type === 'capsule.started') say({ working: event.run_id });
      },
    });
    const { status, reason } = await run.finished;
    say({ ended: run.id, status, reason });
  }),
);
await capstan.close();
