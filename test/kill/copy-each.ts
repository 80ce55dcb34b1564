import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Books, live } from './books.ts';
import type { Programs } from './build-programs.ts';

/** What a kill at this point would have left. */
export interface Copy {
  readonly point: number;
  /** Puts it where the run was, whose process has ended. */
  readonly restore: () => void;
}

/**
 * One process that stops at every n-th fail point, with all its threads, while what it has on the disk is copied: SIGKILL
 * leaves the same, because the kernel keeps what was written. It is killed where it stops while a program that it
 * started runs: what becomes of that one no copy can say.
 */
export async function copyEach(
  books: Books,
  { programs, from, every }: { programs: Programs; from: number; every: number },
): Promise<{ readonly copies: readonly Copy[]; readonly killedAt: number | undefined }> {
  const copies: Copy[] = [];
  let killedAt: number | undefined;
  let problem: unknown;
  const copy = async (point: number, child: ChildProcess) => {
    const threads = `/proc/${child.pid}/task`;
    const read = (file: string) =>
      readdirSync(threads).map((thread) => readFileSync(`${threads}/${thread}/${file}`, 'utf8'));
    while (!read('stat').every((stat) => stat.includes(') T '))) await pause(1);
    if (read('children').some((children) => children !== '')) {
      killedAt = point;
      child.kill('SIGKILL');
      return;
    }
    // What it has sent may still be on its way to the ledger.
    await pause(100);
    copies.push({ point, restore: books.copy(String(point)) });
    child.kill('SIGCONT');
  };
  const at = (point: number, child: ChildProcess) =>
    copy(point, child).catch((error) => {
      problem = error;
      child.kill('SIGKILL');
    });
  const { ended, problem: said } = await live(books, { programs, stops: { from, every, at } });
  if (problem) throw problem;
  if (!ended && killedAt === undefined)
    throw new Error(`it ended before its last fail point: ${said}`);
  return { copies, killedAt };
}
