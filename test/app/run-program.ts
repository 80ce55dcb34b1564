import { writeSync } from 'node:fs';
import { openApp } from '../../src/app/open-app.ts';
import { loadSettings } from '../../src/config/load-settings.ts';

/**
 * One process that carries out a run per argument, all at the same time: `<capsule>:<task>`. Prints a JSON line when a
 * run starts and when it ends.
 */
const { settings } = await loadSettings({ cwd: process.cwd() });
const app = await openApp({ settings, isIsolationWaived: true });
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);
app.events.listen((event) => {
  if (event.type === 'run.started') say({ started: event.run_id, task: event.task });
  if (event.type === 'capsule.started') say({ working: event.run_id });
});
const { signal } = new AbortController();
await Promise.all(
  process.argv.slice(2).map(async (argument) => {
    const [namedCapsule = '', task = ''] = argument.split(':');
    const { id, status, reason } = await app.startRun({ task, namedCapsule, signal });
    say({ ended: id, status, reason });
  }),
);
await app.close();
