import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import type { Agent, IncomingMessage } from 'node:http';
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  HUB_MODEL_SHA256,
  HUB_REVISION,
  MODEL_FILE,
  MODEL_FILES,
  MODEL_ID,
} from './model-folder.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const IDLE_TIMEOUT_MS = 30_000;

export interface DownloadProgress {
  readonly file: string;
  readonly receivedBytes: number;
  /** Missing where the server does not say it. */
  readonly totalBytes?: number | undefined;
}

export interface DownloadOptions {
  /** The folder that will hold the model; made whole or not at all. */
  readonly to: string;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** The connection for an address: a proxy's, where one is set. */
  readonly agentFor?: ((url: URL) => Agent | undefined) | undefined;
  /** Default: https://huggingface.co */
  readonly hubUrl?: string | undefined;
  /** SHA-256 that the model file must have. Default: the pinned one. */
  readonly modelSha256?: string | undefined;
  /** Longest time of the whole download. Default ten minutes. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Downloads the pinned revision of all-MiniLM-L6-v2 from the hub. The folder appears only once every file is there
 * and the model file has the pinned hash.
 *
 * @throws Error that says which file and why.
 */
export async function downloadModel(options: DownloadOptions): Promise<void> {
  const { to, hubUrl = 'https://huggingface.co', timeoutMs = 600_000 } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(`${to}.part-`);
  try {
    await mkdir(join(draft, 'onnx'));
    for (const file of MODEL_FILES) {
      const url = new URL(`/${MODEL_ID}/resolve/${HUB_REVISION}/${file}`, hubUrl);
      const sha256 = await downloadFile(url, join(draft, file), { ...options, file, signal });
      const wanted = options.modelSha256 ?? HUB_MODEL_SHA256;
      if (file === MODEL_FILE && sha256 !== wanted) {
        throw new Error(`${file} from ${url.host} has SHA-256 ${sha256}, not the pinned ${wanted}`);
      }
    }
    await rm(to, { recursive: true, force: true });
    await rename(draft, to);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

interface FileOptions extends DownloadOptions {
  readonly file: string;
  readonly signal: AbortSignal;
}

async function downloadFile(url: URL, path: string, options: FileOptions): Promise<string> {
  const response = await request(url, options);
  const totalBytes = Number(response.headers['content-length']) || undefined;
  const hash = createHash('sha256');
  let receivedBytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length;
      hash.update(chunk);
      options.onProgress?.({ file: options.file, receivedBytes, totalBytes });
      if (receivedBytes > MAX_BYTES) done(new Error(`${options.file} is over ${MAX_BYTES} bytes`));
      else done(null, chunk);
    },
  });
  const file = createWriteStream(path, { mode: 0o600 });
  await pipeline(response, meter, file, { signal: options.signal });
  return hash.digest('hex');
}

/** GETs an address, following redirects: to https only, or to where plain http was asked for in the first place. */
async function request(url: URL, options: FileOptions): Promise<IncomingMessage> {
  const isPlainAllowed = url.protocol === 'http:';
  let at = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (at.protocol !== 'https:' && !isPlainAllowed) throw new Error(`${at.host} is not https`);
    const response = await open(at, options);
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return response;
    response.resume();
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined) {
      throw new Error(`${at.host} answered ${statusCode} for ${options.file}`);
    }
    at = new URL(headers.location, at);
  }
  throw new Error(`${url.host} redirected more than ${MAX_REDIRECTS} times`);
}

function open(url: URL, { signal, agentFor }: FileOptions): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  const agent = agentFor?.(url);
  return new Promise((resolve, reject) => {
    const request = get(
      url,
      { signal, ...(agent && { agent }), timeout: IDLE_TIMEOUT_MS },
      resolve,
    );
    request.on('timeout', () => request.destroy(new Error(`${url.host} stopped answering`)));
    request.on('error', reject);
  });
}
