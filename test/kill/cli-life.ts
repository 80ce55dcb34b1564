import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Books } from './books.ts';
import type { Programs } from './build-programs.ts';
import { problemsOf } from './problems-of.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

/** How one process of the command line ends: at a fail point, after a time, or by itself. */
export interface Doom {
  readonly killAt?: number;
  readonly killAfterMs?: number;
}

/** Maximum number of processes: more mean that the run makes no progress. */
const MAX_LIVES = 40;

/**
 * Runs the real command line without a terminal: the run parks at every question, this process answers, and resumes it.
 * Each process is killed as the next of `dooms` says; when none is left, it runs to its end.
 */
export async function endAtCommandLine(
  books: Books,
  programs: Programs,
  dooms: readonly Doom[],
): Promise<{ readonly problems: readonly string[]; readonly kills: number }> {
  let kills = 0;
  for (let life = 0; life < MAX_LIVES; life++) {
    await books.answerAll();
    const run = runOf(books);
    if (run && hasEnded(run))
      return { problems: [...endProblems(run), ...problemsOf(books)], kills };
    const words = run ? ['resume', run.id] : ['run', books.environment['KILL_TASK'] ?? ''];
    if (await liveAtCommandLine(books, programs, { words, doom: dooms[life] ?? {} })) kills += 1;
  }
  return { problems: [`it did not end in ${MAX_LIVES} lives`], kills };
}

const hasEnded = ({ status }: Row): boolean => status !== 'parked' && status !== 'running';

const endProblems = ({ status, reason }: Row): readonly string[] =>
  status === 'completed' ? [] : [`it ended ${status} (${reason})`];

interface Row {
  readonly id: string;
  readonly status: string;
  readonly reason: string | null;
}

function runOf({ database }: Books): Row | undefined {
  if (!existsSync(database)) return undefined;
  const db = new Database(database, { readonly: true });
  try {
    const isMade = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'runs'").get();
    return isMade ? db.prepare<[], Row>('SELECT id, status, reason FROM runs').get() : undefined;
  } finally {
    db.close();
  }
}

/** Whether it was killed. */
function liveAtCommandLine(
  books: Books,
  { stopAt }: Programs,
  { words, doom }: { readonly words: readonly string[]; readonly doom: Doom },
): Promise<boolean> {
  const { killAt, killAfterMs = 120_000 } = doom;
  const child = spawn(process.execPath, ['--require', stopAt, launcher, ...words, '--json'], {
    cwd: books.workspace,
    env: { ...books.environment, ...(killAt !== undefined && { KILL_AT: String(killAt) }) },
    stdio: 'ignore',
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve) =>
    child.once('close', (_code, signal) => {
      clearTimeout(timer);
      resolve(signal === 'SIGKILL');
    }),
  );
}
