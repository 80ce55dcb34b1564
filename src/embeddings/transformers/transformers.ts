import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AppError, messageOf } from '../../contract/errors.ts';
import { type DownloadOptions, downloadModel, isWhole } from '../download-model.ts';
import type { Embedder } from '../embedder.ts';
import {
  downloadFolder,
  findModelFolder,
  hashFile,
  MODEL_FILE,
  MODEL_ID,
  missingFiles,
} from '../model-folder.ts';
import type { WorkerAnswer, WorkerQuestion } from './transformers-worker.ts';

/** In characters. The model reads at most 512 word pieces, so longer texts are cut. */
const MAX_TEXT_LENGTH = 8_000;

export interface TransformersOptions extends Omit<DownloadOptions, 'to' | 'timeoutMs'> {
  /** The bundled worker, `dist/transformers-worker.cjs`. */
  readonly workerPath: string;
  /** A folder with the model, or with `Xenova/all-MiniLM-L6-v2` in it. If set, nothing is downloaded. */
  readonly modelDir?: string | undefined;
  /** The cache folder for the download. */
  readonly cacheDir: string;
  /** Default: true. */
  readonly mayDownload?: boolean | undefined;
  /** Time limit of loading, and of one call of `embed`. Default one minute. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Opens all-MiniLM-L6-v2 (384 dimensions) in a separate process: from the given folder, else from the cache folder,
 * else from the hub. The version is the start of the model file's SHA-256.
 *
 * @throws AppError `EMBEDDER_UNAVAILABLE` with the fix; there is no silent fallback to another embedder.
 */
export async function openTransformersEmbedder(options: TransformersOptions): Promise<Embedder> {
  const { workerPath, timeoutMs = 60_000 } = options;
  if (!existsSync(workerPath)) {
    throw unavailable(`${workerPath} is missing`, 'Build Capstan again: `npm run build`.');
  }
  const folder = options.modelDir ? folderOf(options.modelDir) : await cachedFolder(options);
  const sha256 = await hashFile(join(folder, MODEL_FILE));
  const start = () => startEmbeddingProcess(workerPath, folder, timeoutMs);
  const first = await start();
  let model = Promise.resolve(first);
  let isClosed = false;
  /** The next call restarts a process that has died, for example for lack of memory. */
  const alive = (): Promise<EmbeddingProcess> => {
    const last = model.catch(() => first);
    model = last.then((known) => (known.isOver() && !isClosed ? start() : known));
    return model;
  };
  return {
    name: options.modelDir ? basename(folder) : basename(MODEL_ID),
    version: sha256.slice(0, 16),
    embed: async (texts) =>
      (await alive()).ask(texts.map((text) => text.slice(0, MAX_TEXT_LENGTH))),
    async close() {
      isClosed = true;
      await (await model.catch(() => first)).end();
    },
  };
}

function folderOf(modelDir: string): string {
  const folder = findModelFolder(modelDir);
  if (folder) return folder;
  throw unavailable(
    `${modelDir} lacks ${missingFiles(modelDir).join(', ')}`,
    `Name a folder with these files in CAPSTAN_MODEL_DIR, or unset it to download ${MODEL_ID}.`,
  );
}

async function cachedFolder(options: TransformersOptions): Promise<string> {
  const to = downloadFolder(options.cacheDir);
  if (await isWhole(to, options)) return to;
  if (options.mayDownload === false) {
    const fix =
      'Download it, name a folder that has it in CAPSTAN_MODEL_DIR, or set CAPSTAN_EMBEDDER=static.';
    const problem = `${MODEL_ID} is not downloaded yet`;
    const embedder = 'minilm';
    throw new AppError('EMBEDDER_UNAVAILABLE', { embedder, problem, fix, isDownloadable: true });
  }
  const { onProgress, agentFor, hubUrl, model } = options;
  try {
    await downloadModel({ to, onProgress, agentFor, hubUrl, model });
    return to;
  } catch (error) {
    throw unavailable(
      `it could not be downloaded: ${messageOf(error)}`,
      'Check the network and HTTPS_PROXY, name a folder that has it in CAPSTAN_MODEL_DIR, or set CAPSTAN_EMBEDDER=static.',
      error,
    );
  }
}

const broken = (problem: string): AppError =>
  unavailable(
    problem,
    'Check that onnxruntime-node 1.14.0 is installed and the model is one that it reads, or set CAPSTAN_EMBEDDER=static.',
  );

const unavailable = (problem: string, fix: string, cause?: unknown): AppError =>
  new AppError('EMBEDDER_UNAVAILABLE', { embedder: 'minilm', problem, fix }, { cause });

/** A process with a loaded model. */
type EmbeddingProcess = Awaited<ReturnType<typeof startEmbeddingProcess>>;

type Vectors = Float32Array[];

/** The id of the first answer, which reports that the model is loaded and has no question. */
const READY = 0;

/**
 * Starts the process and waits until its model is loaded. It keeps the parent alive only while an answer is pending.
 *
 * A process, not a thread: onnxruntime-node 1.14 can be loaded only once per process, and a native
 * inference in a thread can't be stopped.
 *
 * @param path The bundled worker.
 * @param timeoutMs Time limit for one answer. A process that exceeds it is killed.
 */
async function startEmbeddingProcess(path: string, modelDir: string, timeoutMs: number) {
  const child = fork(path, [modelDir], {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const answers = createAnswers(timeoutMs, () => child.kill('SIGKILL'));
  child.on('message', (answer) => answers.settle(answer as WorkerAnswer));
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
function createAnswers(timeoutMs: number, end: () => void) {
  const waiting = new Map<
    number,
    { resolve(vectors: Vectors): void; reject(error: Error): void }
  >();
  let failure: Error | undefined;

  const failAll = (problem: string) => {
    if (!failure) end();
    failure ??= broken(problem);
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
    settle(answer: WorkerAnswer) {
      if (answer.kind === 'broken') return failAll(answer.problem);
      const id = answer.kind === 'ready' ? READY : answer.id;
      const waiter = waiting.get(id);
      waiting.delete(id);
      if (answer.kind === 'failed') waiter?.reject(broken(answer.problem));
      else waiter?.resolve(answer.kind === 'vectors' ? answer.vectors : []);
    },
  };
}
