import { spawn } from 'node:child_process';
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
import { type Check, check, type Verdict } from './tasks/check.ts';
import { commandTasks } from './tasks/commands.ts';
import { fileTasks } from './tasks/files.ts';
import { impossibleTasks } from './tasks/impossible.ts';
import { logTasks } from './tasks/logs.ts';
import { pageTasks } from './tasks/pages.ts';
import { tableTasks } from './tasks/tables.ts';
import type { BenchTask } from './tasks/task.ts';

const root = join(import.meta.dirname, '..');
/** Longest time of one task, in milliseconds. */
const timeoutMs = 120_000;

const { values: given } = parseArgs({
  options: {
    dir: { type: 'string', default: join(root, '../shared/data/tasks') },
    provider: { type: 'string', default: 'offline' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

/** `right`; `failed`: not done, and said so with a reason; `WRONG`: said to be done and is not, or no word why. */
type Outcome = 'right' | 'failed' | 'WRONG';

interface Row {
  readonly id: string;
  readonly outcome: Outcome;
  readonly status: string;
  readonly detail: string;
  readonly durationMs: number;
}

interface RunDocument {
  readonly status: string;
  readonly reason: string | null;
  readonly answer: string | null;
  readonly duration_ms: number;
  readonly error?: { readonly message: string };
  readonly subtasks?: readonly {
    readonly description: string;
    readonly error: { readonly code: string; readonly message: string } | null;
  }[];
}

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

async function runOne(task: BenchTask): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-task-'));
  const [inputs, workspace] = [join(folder, 'inputs'), join(folder, 'workspace')];
  const served = task.pages === undefined ? undefined : await serve(task.pages);
  try {
    makeInputs(task, inputs);
    cpSync(inputs, workspace, { recursive: true });
    const text = served === undefined ? task.task : task.task.replaceAll('@', served.origin);
    const home = join(folder, 'home');
    const document = await runCapstan(text, { workspace, home, origin: served?.origin });
    if (document === undefined) return row(task, 'WRONG', 'no document on stdout');
    return judge(task, document, { workspace, inputs });
  } finally {
    served?.server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Places {
  readonly workspace: string;
  readonly home: string;
  /** Of the loopback server, which the settings have to open. */
  readonly origin: string | undefined;
}

async function runCapstan(
  task: string,
  { workspace, home, origin }: Places,
): Promise<RunDocument | undefined> {
  const args = [
    'run',
    '--json',
    '--provider',
    given.provider,
    '--workspace',
    workspace,
    '--approve-mode',
    'allow',
    '--',
    task,
  ];
  const key = Object.entries(process.env).filter(([name]) =>
    /^(?:OPENAI|ANTHROPIC|GEMINI|OLLAMA)_/.test(name),
  );
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CAPSTAN_HOME: home,
    ...(origin === undefined ? {} : { CAPSTAN_PRIVATE_ORIGINS: origin }),
    ...(given.provider === 'offline' ? {} : Object.fromEntries(key)),
  };
  const child = spawn(process.execPath, [join(root, 'bin/capstan.js'), ...args], {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  await once(child, 'close');
  clearTimeout(timer);
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as RunDocument;
  } catch {
    return undefined;
  }
}

const row = ({ id }: BenchTask, outcome: Outcome, detail: string, document?: RunDocument): Row => ({
  id,
  outcome,
  detail,
  status: document?.status ?? 'none',
  durationMs: document?.duration_ms ?? 0,
});

function judge(
  task: BenchTask,
  document: RunDocument,
  places: { workspace: string; inputs: string },
): Row {
  const answer = document.answer ?? document.error?.message ?? '';
  const wrong = check(task.expected, { ...places, answer }).filter(({ isRight }) => !isRight);
  if (document.status === 'completed') return judgeDone(task, document, wrong);
  if (document.reason === null || answer.trim() === '') {
    return row(task, 'WRONG', 'failed without a reason', document);
  }
  if (task.mustFail !== true) return row(task, 'failed', causeOf(document), document);
  return judgeRefusal(task, document, wrong);
}

function judgeDone(task: BenchTask, document: RunDocument, wrong: readonly Verdict[]): Row {
  if (task.mustFail === true)
    return row(task, 'WRONG', 'said to be done, and can not be', document);
  return row(task, wrong.length === 0 ? 'right' : 'WRONG', whatOf(wrong), document);
}

/** A refusal that left something behind is wrong; one that only names another cause is still honest. */
function judgeRefusal(task: BenchTask, document: RunDocument, wrong: readonly Verdict[]): Row {
  if (wrong.length === 0) return row(task, 'right', 'fails, as it should', document);
  const isHonest = wrong.every(({ isWording }) => isWording);
  return row(
    task,
    isHonest ? 'failed' : 'WRONG',
    isHonest ? causeOf(document) : whatOf(wrong),
    document,
  );
}

const whatOf = (wrong: readonly Verdict[]) => wrong.map(({ what }) => what).join('; ');

const causeOf = ({ subtasks = [], error }: RunDocument) =>
  (subtasks.find((subtask) => subtask.error !== null)?.error ?? error)?.message.split('\n')[0] ??
  '';

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
const rows: Row[] = [];
for (const task of tasks) rows.push(await runOne(task));
if (given.json) console.log(JSON.stringify(rows, null, 2));
else print(rows);
process.exitCode = rows.some(({ outcome }) => outcome === 'WRONG') ? 1 : 0;
