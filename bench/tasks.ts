import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startModelServer } from '../test/model-server/model-server.ts';
import { noisy } from './noise/noise.ts';
import { scriptedModel } from './noise/scripted-model.ts';
import { longScript, shortScript, type TaskScript } from './noise/scripts.ts';
import type { Check } from './tasks/check.ts';
import { commandTasks } from './tasks/commands.ts';
import { fileTasks } from './tasks/files.ts';
import { impossibleTasks } from './tasks/impossible.ts';
import { judge, type Outcome, type Row, row } from './tasks/judge.ts';
import { logTasks } from './tasks/logs.ts';
import { pageTasks } from './tasks/pages.ts';
import { runCapstan } from './tasks/run-capstan.ts';
import { tableTasks } from './tasks/tables.ts';
import type { BenchTask } from './tasks/task.ts';

const root = join(import.meta.dirname, '..');
const { values: given } = parseArgs({
  options: {
    dir: { type: 'string', default: join(root, '../shared/data/tasks') },
    provider: { type: 'string', default: 'offline' },
    only: { type: 'string' },
    /** Seeds of disturbed answers; needs `--provider openai`. */
    noise: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

/** Tasks of a folder: `<id>/task.json` with `inputs/` beside it. */
function tasksOf(dir: string): BenchTask[] {
  if (!existsSync(dir)) {
    console.error(`${dir} is not there: its tasks are left out.`);
    return [];
  }
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name, 'task.json');
    if (!existsSync(path)) return [];
    const { id, task, expected } = JSON.parse(readFileSync(path, 'utf8')) as {
      id: string;
      task: string;
      expected: Check;
    };
    const inputs = (target: string) =>
      cpSync(join(dir, name, 'inputs'), target, { recursive: true });
    return [{ id, task, expected, inputs, mustFail: expected.kind === 'reported_failure' }];
  });
}

function makeInputs({ inputs }: BenchTask, dir: string): void {
  mkdirSync(dir, { recursive: true });
  if (typeof inputs === 'function') {
    inputs(dir);
    return;
  }
  for (const [path, content] of Object.entries(inputs)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
}

async function serve(
  pages: NonNullable<BenchTask['pages']>,
): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    const page = Object.hasOwn(pages, request.url ?? '') ? pages[request.url ?? ''] : undefined;
    response.writeHead(page === undefined ? 404 : 200, {
      'content-type': page?.type ?? 'text/plain',
    });
    response.end(page?.body ?? 'not found');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const keys = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(?:OPENAI|ANTHROPIC|GEMINI|OLLAMA|CAPSTAN_BASE_URL)/.test(name),
  ),
);

async function runOne(task: BenchTask, model: NodeJS.ProcessEnv = keys): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-task-'));
  const [inputs, workspace] = [join(folder, 'inputs'), join(folder, 'workspace')];
  const served = task.pages === undefined ? undefined : await serve(task.pages);
  try {
    makeInputs(task, inputs);
    cpSync(inputs, workspace, { recursive: true });
    const text = served === undefined ? task.task : task.task.replaceAll('@', served.origin);
    const environment = {
      ...(served === undefined ? {} : { CAPSTAN_PRIVATE_ORIGINS: served.origin }),
      ...(given.provider === 'offline' ? {} : model),
    };
    const home = join(folder, 'home');
    const { provider } = given;
    const document = await runCapstan(text, { provider, workspace, home, environment });
    if (document === undefined) return row(task, 'WRONG', 'no document on stdout');
    return judge(task, document, { workspace, inputs });
  } finally {
    served?.server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One task with a scripted model whose answers are disturbed by the seed; 0: undisturbed. */
async function runWithNoise(task: BenchTask, script: TaskScript, seed: number): Promise<NoisyRow> {
  const correct = scriptedModel(task.task, script);
  const server = await startModelServer({
    vendor: 'openai',
    script: seed === 0 ? correct : noisy(correct, script, seed),
  });
  try {
    const model = { OPENAI_API_KEY: 'a-key-of-the-bench', CAPSTAN_BASE_URL: server.baseUrl };
    const row = await runOne(task, model);
    return { ...row, id: `${task.id} #${seed}`, calls: server.chats.length };
  } finally {
    await server.close();
  }
}

interface NoisyRow extends Row {
  readonly calls: number;
}

/** `7`, or `1-50`. */
function seedsIn(text: string): number[] {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (from === undefined) throw new Error(`--noise ${text}: give a seed, or two as in 1-50.`);
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, n) => Number(from) + n);
}

/** For every third seed, the script takes two steps. */
const scriptOf = ({ id, expected }: BenchTask, seed: number): TaskScript | undefined =>
  seed % 3 === 2 ? longScript(id, contentOf(expected)) : shortScript(id);

/** The text of the file that a task expects. */
function contentOf(expected: Check): string {
  if (expected.kind === 'json_file') return JSON.stringify(expected.value);
  if (expected.kind !== 'csv_file') return '';
  return [expected.header, ...expected.rows]
    .map((row) => row.map((cell) => (/[",]/.test(`${cell}`) ? `"${cell}"` : `${cell}`)).join(','))
    .join('\n');
}

/** The tasks that have a script, once per seed. */
async function runAllWithNoise(tasks: readonly BenchTask[], seeds: string): Promise<void> {
  const rows: NoisyRow[] = [];
  for (const seed of seedsIn(seeds)) {
    for (const task of tasks) {
      const script = scriptOf(task, seed);
      if (script !== undefined) rows.push(await runWithNoise(task, script, seed));
    }
  }
  report(rows);
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  const right = rows.filter(({ outcome }) => outcome === 'right').length;
  console.error(
    `${((100 * right) / rows.length).toFixed(1)} % right, ${(calls / rows.length).toFixed(2)} model calls per task.`,
  );
}

function print(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ id }) => id.length));
  for (const { id, outcome, durationMs, detail } of rows) {
    console.log(
      `${id.padEnd(width)}  ${outcome.padEnd(6)}  ${String(durationMs).padStart(6)} ms  ${detail.slice(0, 140)}`,
    );
  }
  const count = (wanted: Outcome) => rows.filter(({ outcome }) => outcome === wanted).length;
  console.log(
    `\n${rows.length} tasks: ${count('right')} right, ${count('failed')} failed honestly, ${count('WRONG')} wrong.`,
  );
}

function report(rows: readonly Row[]): void {
  if (given.json) console.log(JSON.stringify(rows, null, 2));
  else print(rows);
  process.exitCode = rows.some(({ outcome }) => outcome === 'WRONG') ? 1 : 0;
}

const own = [
  ...fileTasks,
  ...logTasks,
  ...tableTasks,
  ...commandTasks,
  ...pageTasks,
  ...impossibleTasks,
];
const tasks = [...tasksOf(resolve(given.dir)), ...own].filter(
  ({ id }) => given.only === undefined || id.includes(given.only),
);
if (given.noise !== undefined) {
  await runAllWithNoise(tasks, given.noise);
} else {
  const rows: Row[] = [];
  for (const task of tasks) rows.push(await runOne(task));
  report(rows);
}
