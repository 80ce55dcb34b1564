import { type ChildProcess, fork } from 'node:child_process';
import { messageOf } from '../../contract/errors.ts';
import type { WorkerAnswer, WorkerQuestion } from './transformers-worker.ts';

/** A process with a loaded model. */
export type EmbeddingProcess = Awaited<ReturnType<typeof startEmbeddingProcess>>;

export interface EmbeddingProcessOptions {
  /** The bundled worker. */
  readonly path: string;
  readonly modelDir: string;
  /** Time limit for one answer. A process that exceeds it is killed. */
  readonly timeoutMs: number;
  /** Creates the error that callers get. */
  asFailure(problem: string): Error;
}

type Vectors = Float32Array[];

/** The id of the first answer, which reports that the model is loaded and has no question. */
const READY = 0;

/**
 * Starts the process and waits until its model is loaded. It keeps the parent alive only while an answer is pending.
 *
 * A process, not a thread: onnxruntime-node 1.14 can be loaded only once per process, and a native
 * inference in a thread can't be stopped.
 */
export async function startEmbeddingProcess({
  path,
  modelDir,
  timeoutMs,
  asFailure,
}: EmbeddingProcessOptions) {
  const child = fork(path, [modelDir], {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const answers = createAnswers(timeoutMs, (problem) => {
    child.kill('SIGKILL');
    return asFailure(problem);
  });
  child.on('message', (answer) => answers.settle(answer as WorkerAnswer, asFailure));
  child.on('error', (error) => answers.failAll(messageOf(error)));
  child.on('exit', () => answers.failAll('its process ended'));
  child.unref();
  child.channel?.unref();

  await answers.expect(READY);
  let lastId = READY;
  return {
    /** Whether it has ended. */
    isOver: answers.areOver,
    ask(texts: readonly string[]): Promise<Vectors> {
      const id = ++lastId;
      const answer = answers.expect(id);
      const question: WorkerQuestion = { id, texts };
      if (child.connected)
        child.send(question, (error) => error && answers.failAll(messageOf(error)));
      return answer;
    },
    end: () => kill(child),
  };
}

function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  child.ref();
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  return gone;
}

/** The pending answers, by id. After the first failure of the process itself, all fail. */
function createAnswers(timeoutMs: number, end: (problem: string) => Error) {
  const waiting = new Map<
    number,
    { resolve(vectors: Vectors): void; reject(error: Error): void }
  >();
  let failure: Error | undefined;

  const failAll = (problem: string) => {
    failure ??= end(problem);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  };
  return {
    failAll,
    areOver: () => failure !== undefined,
    expect(id: number): Promise<Vectors> {
      if (failure) return Promise.reject(failure);
      const answer = new Promise<Vectors>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
      });
      const late = () => failAll(`it gave no answer within ${timeoutMs} ms`);
      const timer = setTimeout(late, timeoutMs);
      return answer.finally(() => clearTimeout(timer));
    },
    settle(answer: WorkerAnswer, asFailure: (problem: string) => Error) {
      if (answer.kind === 'broken') return failAll(answer.problem);
      const id = answer.kind === 'ready' ? READY : answer.id;
      const waiter = waiting.get(id);
      waiting.delete(id);
      if (answer.kind === 'failed') waiter?.reject(asFailure(answer.problem));
      else waiter?.resolve(answer.kind === 'vectors' ? answer.vectors : []);
    },
  };
}
