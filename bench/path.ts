import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBroker } from '../src/broker/answer.ts';
import type { Approval } from '../src/contract/approval.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { toolbox } from '../src/tools/toolbox.ts';
import { addRun, brokerPartsOf, policyWith, runScopeOf } from '../test/setup/broker-parts.ts';

const root = join(import.meta.dirname, '..');

/** Files that left `src/broker/` are still part of the path. */
const MOVED_OUT: readonly string[] = ['src/platform/text/canonical-hash.ts'];
const isOnPath = (file: string) => file.startsWith('src/broker/') || MOVED_OUT.includes(file);

interface Case {
  readonly what: string;
  /** The maximum number of files on the path. */
  readonly goal: number;
  readonly args: Readonly<Record<string, unknown>>;
  /** Whether a person is asked, and approves. */
  readonly isAsked: boolean;
}

const cases: readonly Case[] = [
  {
    what: 'file_io.read',
    goal: 12,
    args: { operation: 'read', path: 'notes.txt' },
    isAsked: false,
  },
  {
    what: 'file_io.write with a question, approved',
    goal: 18,
    args: { operation: 'write', path: 'notes.txt', content: 'new text\n' },
    isAsked: true,
  },
];

interface Passed {
  readonly file: string;
  /** Functions that were called at least once. */
  readonly functions: number;
}

/** Files of the broker in which `work` calls a function. Evaluating a module does not count. */
async function filesPassed(work: () => Promise<void>): Promise<readonly Passed[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url, functions }) => ({
      file: relative(root, fileURLToPath(url.split('?')[0] ?? url)),
      functions: functions.filter(
        ({ ranges: [range] }) => range !== undefined && range.startOffset > 0 && range.count > 0,
      ).length,
    }))
    .filter(({ file, functions }) => isOnPath(file) && functions > 0)
    .sort((a, b) => a.file.localeCompare(b.file));
}

/** One intent through a real broker over a real database, until its rows are written. */
async function measure({ args, isAsked }: Case): Promise<readonly Passed[]> {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-path-'));
  const workspace = realpathSync(mkdtempSync(join(dir, 'workspace-')));
  writeFileSync(join(workspace, 'notes.txt'), 'old text\n');
  const db = openDatabase(join(dir, 'capstan.db'));
  try {
    addRun(db, 'run-1');
    const asked: Approval[] = [];
    const approver = {
      async ask(question: Approval) {
        asked.push(question);
        return { answer: 'approve', by: 'terminal' } as const;
      },
    };
    const parts = brokerPartsOf(db, { tools: toolbox, approver });
    const grants = new Map([['file_io', { paths: ['**'] }]]);
    const run = { id: 'run-1', workspace, policy: policyWith() };
    const scope = runScopeOf(run, grants).coordinator;
    const broker = createBroker(parts);
    const intent = { type: 'tool_call_intent', tool: 'file_io', args, reason: 'a reason' } as const;
    return await filesPassed(async () => {
      const reply = await broker.answer(intent, scope);
      parts.journal.flush();
      if (!('ok' in reply && reply.ok)) throw new Error(JSON.stringify(reply));
      if (asked.length !== (isAsked ? 1 : 0)) throw new Error(`${asked.length} questions`);
    });
  } finally {
    db.close();
    rmSync(dir, { recursive: true });
  }
}

/** The maximum number of hops from `bin/` to the first graph node. */
const MAX_HOPS = 5;

/** The files that call each other from `bin/`, the launcher, to the first graph node. */
function filesToFirstNode(): readonly string[] {
  const argv = [
    '--import',
    import.meta.resolve('tsx'),
    join(import.meta.dirname, 'path/hops-program.ts'),
  ];
  const printed = execFileSync(process.execPath, argv, { encoding: 'utf8', stdio: 'pipe' });
  return ['bin/', ...JSON.parse(printed.trim().split('\n').at(-1) ?? '')];
}

/**
 * `npm run bench:path`: the files of the broker that one intent goes through, and those before the graph, with their
 * goals.
 */
async function main(): Promise<number> {
  let over = 0;
  for (const one of cases) {
    const passed = await measure(one);
    console.log(`${one.what}: ${passed.length} files (goal: at most ${one.goal})`);
    for (const { file, functions } of passed) {
      console.log(`  ${file} (${functions} ${functions === 1 ? 'function' : 'functions'})`);
    }
    if (passed.length > one.goal) over += 1;
  }
  const files = filesToFirstNode();
  const hops = files.length - 1;
  console.log(`from bin/ to the first graph node: ${hops} hops (goal: at most ${MAX_HOPS})`);
  for (const file of files) console.log(`  ${file}`);
  if (hops > MAX_HOPS) over += 1;
  return over === 0 ? 0 : 1;
}

process.exitCode = await main();
