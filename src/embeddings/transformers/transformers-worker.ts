import { basename, dirname } from 'node:path';

/** Each question gets one answer with its id. */
export interface WorkerQuestion {
  readonly id: number;
  readonly texts: readonly string[];
}

export type WorkerAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'broken'; readonly problem: string }
  | { readonly kind: 'vectors'; readonly id: number; readonly vectors: Float32Array[] }
  | { readonly kind: 'failed'; readonly id: number; readonly problem: string };

type Pipe = (text: string) => Promise<Float32Array>;

async function openPipe(modelDir: string): Promise<Pipe> {
  const { env, pipeline } = await import('@xenova/transformers');
  env.allowRemoteModels = false;
  env.useFSCache = false;
  env.useBrowserCache = false;
  env.localModelPath = dirname(modelDir);
  const extract = await pipeline('feature-extraction', basename(modelDir));
  return async (text) => {
    const { data } = await extract(text, { pooling: 'mean', normalize: true });
    return Float32Array.from(data as Float32Array);
  };
}

async function answer(pipe: Pipe, { id, texts }: WorkerQuestion): Promise<WorkerAnswer> {
  try {
    const vectors: Float32Array[] = [];
    // One by one: a batch is padded to its longest text.
    for (const text of texts) vectors.push(await pipe(text));
    return { kind: 'vectors', id, vectors };
  } catch (error) {
    return { kind: 'failed', id, problem: String(error) };
  }
}

async function serve(modelDir: string): Promise<void> {
  const say = (message: WorkerAnswer) => void process.send?.(message);
  try {
    const pipe = await openPipe(modelDir);
    await pipe('ready');
    let turn = Promise.resolve();
    process.on('message', (question: WorkerQuestion) => {
      turn = turn.then(async () => say(await answer(pipe, question)));
    });
    say({ kind: 'ready' });
  } catch (error) {
    say({ kind: 'broken', problem: String(error) });
  }
}

// Ctrl-C reaches the whole foreground group, but the coordinator decides when this process ends.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
if (process.argv[2] !== undefined) void serve(process.argv[2]);
