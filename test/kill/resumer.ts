import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Books } from './books.ts';
import type { Programs } from './build-programs.ts';
import type { Fault } from './fault-at.ts';
import type { LifeRequest, Said } from './program.ts';

/** How a run went on. */
export interface Resumed {
  readonly ended: Extract<Said, { type: 'ended' }> | undefined;
  /** What the process said as it broke off. */
  readonly problem: string;
}

/** A process that continues runs of killed processes, or starts runs, one after another: only the first compiles its code. */
export interface Resumer {
  /** Continues the run until it ends or parks, and answers its questions from this process. */
  resume(
    books: Books,
    options?: { readonly isReal?: boolean; readonly fault?: Fault },
  ): Promise<Resumed>;
  /** Resolves once the process has ended. */
  end(): Promise<void>;
}

/** Time limit of one run, in milliseconds. */
const DEADLINE_MS = 120_000;

interface Open {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: Interface;
}

export function createResumer({ resumer, faultAt }: Programs): Resumer {
  let open: Open | undefined;
  const start = (): Open => {
    const child = spawn(process.execPath, ['--require', faultAt, resumer], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const started = { child, lines: createInterface({ input: child.stdout }) };
    child.once('close', () => {
      if (open === started) open = undefined;
    });
    return started;
  };
  return {
    async resume(books, { isReal = false, fault } = {}) {
      open ??= start();
      const { child, lines } = open;
      let answering: Promise<unknown> = Promise.resolve();
      const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
      const resumed = await new Promise<Resumed>((resolve) => {
        const broke = () => resolve({ ended: undefined, problem: 'the process ended' });
        child.once('close', broke);
        const read = (line: string) => {
          const said = JSON.parse(line) as Said;
          if (said.type === 'asked') {
            answering = answering.then(books.answerAll);
            return;
          }
          lines.off('line', read);
          child.off('close', broke);
          resolve(
            said.type === 'ended'
              ? { ended: said, problem: '' }
              : { ended: undefined, problem: said.message },
          );
        };
        lines.on('line', read);
        const request: LifeRequest = {
          env: books.environment,
          cwd: books.workspace,
          isInMemory: !isReal,
          fault,
        };
        child.stdin.write(`${JSON.stringify(request)}\n`);
      });
      clearTimeout(timer);
      await answering;
      return resumed;
    },
    async end() {
      if (!open) return;
      const { child } = open;
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
