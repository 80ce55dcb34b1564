import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { type Ended, openTaskRunner, type TaskRunner } from './refusals/run-task.ts';

/** Tasks that must not be reported as done, by the reason. */
type MustFail = Readonly<Record<string, readonly string[]>>;

/** A task that must be reported as done, with the expected results of its steps and files. */
interface MustWork {
  readonly task: string;
  readonly results: readonly string[];
  readonly written: Readonly<Record<string, string>>;
}

const { values: given } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    /** Stores the current results as the expected ones. */
    record: { type: 'boolean', default: false },
  },
});

const dataFile = (name: string) => join(import.meta.dirname, 'refusals', name);
const read = <T>(name: string) => JSON.parse(readFileSync(dataFile(name), 'utf8')) as T;

/** Number of parallel runs; each mostly waits for its own process. */
const CONCURRENCY = 3;

async function runAll<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

const resultsOf = ({ document }: Ended): readonly string[] =>
  document.subtasks.map(({ result, error }) => {
    const { text } = (result ?? {}) as { text?: unknown };
    return typeof text === 'string' ? text : String(result ?? error?.message);
  });

/** Tasks that were reported as done. */
async function runMustFail(runner: TaskRunner, groups: MustFail): Promise<number> {
  const tasks = Object.entries(groups).flatMap(([reason, list]) =>
    list.filter((task) => task.includes(given.only)).map((task) => ({ reason, task })),
  );
  const done: string[] = [];
  await runAll(tasks, async ({ reason, task }) => {
    const approveMode = reason === 'denied' ? 'deny' : 'allow';
    const ended = await runner.run(task, approveMode);
    if (ended.exitCode !== 0) return;
    done.push(task);
    console.log(`DONE   ${reason}: ${task}\n       ${resultsOf(ended).join('\n').split('\n')[0]}`);
  });
  console.log(
    `${tasks.length} tasks that must not be reported as done: ${done.length} exit codes 0.`,
  );
  return done.length;
}

/** Tasks that did not end as expected. */
async function runMustWork(runner: TaskRunner, expected: readonly MustWork[]): Promise<number> {
  const found = new Map<string, MustWork>();
  let wrong = 0;
  const wanted = expected.filter(({ task }) => task.includes(given.only));
  await runAll(wanted, async (one) => {
    const { task } = one;
    const ended = await runner.run(task, 'allow');
    const now = { task, results: resultsOf(ended), written: ended.written };
    if (ended.exitCode === 0) found.set(task, now);
    if (ended.exitCode === 0 && (given.record || isDeepStrictEqual(now, one))) return;
    wrong += 1;
    console.log(`WRONG  exit code ${ended.exitCode}: ${task}\n${JSON.stringify(now, null, 2)}`);
  });
  console.log(
    `${wanted.length} tasks that must be done: ${wanted.length - wrong} with the same result.`,
  );
  if (given.record) {
    const all = expected.map((one) => found.get(one.task) ?? one);
    writeFileSync(dataFile('must-work.json'), `${JSON.stringify(all, null, 2)}\n`);
  }
  return wrong;
}

const startedMs = performance.now();
const runner = await openTaskRunner();
try {
  const done = await runMustFail(runner, read<MustFail>('must-fail.json'));
  const wrong = await runMustWork(runner, read<readonly MustWork[]>('must-work.json'));
  process.exitCode = done + wrong > 0 ? 1 : 0;
} finally {
  runner.remove();
}
console.log(`${Math.round((performance.now() - startedMs) / 1000)} s`);
