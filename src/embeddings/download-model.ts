import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { type Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../contract/errors.ts';
import { hasProcess } from '../platform/process-mark.ts';
import { codeOf } from '../platform/try-or.ts';
import {
  HUB_MODEL_BYTES,
  HUB_MODEL_SHA256,
  HUB_REVISION,
  hashFile,
  MODEL_FILE,
  MODEL_FILES,
  MODEL_ID,
  missingFiles,
} from './model-folder.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const IDLE_TIMEOUT_MS = 30_000;

/** Number of consecutive interruptions without progress after which a download stops. */
const MAX_CUTS = 4;
const WAIT_AFTER_CUT_MS = 500;

export interface DownloadProgress {
  readonly file: string;
  readonly receivedBytes: number;
  /** Missing if the server does not send it. */
  readonly totalBytes?: number | undefined;
}

export interface DownloadOptions {
  /** The folder for the model, created completely or not at all. A partial download is stored next to it. */
  readonly to: string;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
  /** The agent for an address: a proxy's, if one is configured. */
  readonly agentFor?: ((url: URL) => Promise<Agent | undefined>) | undefined;
  /** Default: https://huggingface.co */
  readonly hubUrl?: string | undefined;
  /** Size and SHA-256 that the model file must have. Default: the pinned ones. */
  readonly model?: { readonly bytes: number; readonly sha256: string } | undefined;
  /** Time limit of the whole download. Default ten minutes. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Downloads the pinned revision of all-MiniLM-L6-v2 from the hub. An interrupted download continues from its last byte, immediately
 * or in a later call. The folder appears only when every file is there and the model file has the pinned hash.
 *
 * @throws Error with the file and the reason.
 */
export async function downloadModel(options: DownloadOptions): Promise<void> {
  const { timeoutMs = 600_000 } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    await download(options, signal);
  } catch (error) {
    const most = `it took longer than ${Math.round(timeoutMs / 1_000)} seconds`;
    throw signal.aborted ? new Error(most, { cause: error }) : error;
  }
}

async function download(options: DownloadOptions, signal: AbortSignal): Promise<void> {
  const { to, hubUrl = 'https://huggingface.co' } = options;
  const draft = `${to}.part`;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await using _held = await lockFolder(draft, signal);
  // Another process may have downloaded it while this one waited.
  if (await isWhole(to, options)) return;
  await mkdir(join(draft, dirname(MODEL_FILE)), { recursive: true, mode: 0o700 });
  for (const file of MODEL_FILES) {
    const url = new URL(`/${MODEL_ID}/resolve/${HUB_REVISION}/${file}`, hubUrl);
    await downloadFile(url, join(draft, file), { ...options, file, signal });
    if (file.endsWith('.json')) await assertJson(join(draft, file), file);
  }
  await assertPinned(draft, options, hubUrl);
  await rm(to, { recursive: true, force: true });
  await rename(draft, to);
}

const pinOf = ({ model }: Pick<DownloadOptions, 'model'>) =>
  model ?? { bytes: HUB_MODEL_BYTES, sha256: HUB_MODEL_SHA256 };

/** Whether a folder has every file, and the model file is the pinned one. */
export const isWhole = async (
  folder: string,
  options: Pick<DownloadOptions, 'model'> = {},
): Promise<boolean> =>
  missingFiles(folder).length === 0 &&
  (await hashFile(join(folder, MODEL_FILE))) === pinOf(options).sha256;

/** Also deletes a file with another hash, so that the next download does not continue it. */
async function assertPinned(draft: string, options: DownloadOptions, hubUrl: string) {
  const { bytes, sha256 } = pinOf(options);
  const path = join(draft, MODEL_FILE);
  const size = await sizeOf(path);
  const found = await hashFile(path);
  if (size === bytes && found === sha256) return;
  await rm(draft, { recursive: true, force: true });
  const pinned = `the pinned ${bytes} and ${sha256}`;
  const { host } = new URL(hubUrl);
  throw new Error(
    `${MODEL_FILE} from ${host} has ${size} bytes and SHA-256 ${found}, not ${pinned}`,
  );
}

/** Without a length, a truncated file may look complete, so its JSON is checked. A retry starts from its beginning. */
async function assertJson(path: string, file: string): Promise<void> {
  try {
    JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    await rm(path, { force: true });
    throw new Error(`${file} was not received completely: ${messageOf(error)}`, { cause: error });
  }
}

interface FileOptions extends DownloadOptions {
  readonly file: string;
  readonly signal: AbortSignal;
}

/** A failure that a retry would not change. */
class Refused extends Error {}

async function downloadFile(url: URL, path: string, options: FileOptions): Promise<void> {
  for (let cuts = 0; ; ) {
    const from = await sizeOf(path);
    try {
      await receive(await request(url, from, options), path, { ...options, from });
      return;
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof Refused) throw error;
      cuts = (await sizeOf(path)) > from ? 1 : cuts + 1;
      if (cuts >= MAX_CUTS)
        throw new Error(`${options.file} was not received completely: ${messageOf(error)}`);
      await wait(WAIT_AFTER_CUT_MS, undefined, { signal: options.signal });
    }
  }
}

const sizeOf = async (path: string): Promise<number> =>
  (await stat(path).catch(() => undefined))?.size ?? 0;

/** Appends a response to the stored part; a response from the beginning replaces it. */
async function receive(
  response: IncomingMessage,
  path: string,
  { file, from, signal, onProgress }: FileOptions & { readonly from: number },
): Promise<void> {
  const { statusCode, headers } = response;
  if (statusCode === RANGE_NOT_SATISFIABLE) {
    response.resume();
    if (headers['content-range'] === `bytes */${from}`) return;
    // The stored part is longer, or the length is unknown.
    await rm(path, { force: true });
    throw new Error(`the stored part of ${file} differs from the file on the server`);
  }
  let receivedBytes = statusCode === PARTIAL ? from : 0;
  const totalBytes = receivedBytes + Number(headers['content-length']) || undefined;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length;
      onProgress?.({ file, receivedBytes, totalBytes });
      if (receivedBytes > MAX_BYTES) done(new Refused(`${file} is over ${MAX_BYTES} bytes`));
      else done(null, chunk);
    },
  });
  const flags = statusCode === PARTIAL ? 'a' : 'w';
  await pipeline(response, meter, createWriteStream(path, { mode: 0o600, flags }), { signal });
}

const PARTIAL = 206;
const RANGE_NOT_SATISFIABLE = 416;

/** GETs a URL from a byte offset, following redirects to https only, unless the original URL was plain http. */
async function request(url: URL, from: number, options: FileOptions): Promise<IncomingMessage> {
  const isPlainAllowed = url.protocol === 'http:';
  let at = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (at.protocol !== 'https:' && !isPlainAllowed) throw new Refused(`${at.host} is not https`);
    const response = await open(at, from, options);
    const { statusCode = 0, headers } = response;
    if (isUsable(response, from)) return response;
    response.resume();
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined) {
      throw new Refused(`${at.host} answered ${statusCode} for ${options.file}`);
    }
    at = new URL(headers.location, at);
  }
  throw new Refused(`${url.host} redirected more than ${MAX_REDIRECTS} times`);
}

function isUsable({ statusCode, headers }: IncomingMessage, from: number): boolean {
  const range = headers['content-range'] ?? '';
  if (statusCode === PARTIAL) return from > 0 && range.startsWith(`bytes ${from}-`);
  if (statusCode === RANGE_NOT_SATISFIABLE) return from > 0;
  return statusCode === 200;
}

async function open(
  url: URL,
  from: number,
  { signal, agentFor }: FileOptions,
): Promise<IncomingMessage> {
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  const agent = await agentFor?.(url);
  const options = {
    signal,
    timeout: IDLE_TIMEOUT_MS,
    rejectUnauthorized: true,
    ...(agent && { agent }),
    ...(from > 0 && { headers: { range: `bytes=${from}-` } }),
  };
  return new Promise((resolve, reject) => {
    const request = get(url, options, resolve);
    request.on('timeout', () => request.destroy(new Error(`${url.host} stopped answering`)));
    request.on('error', reject);
  });
}

const LOOK_AGAIN_MS = 200;

/** Maximum time between creating a lock file and writing the process id into it. */
const WRITING_MS = 2_000;

/**
 * Locks a folder against writing by other processes, with a file `<folder>.lock` that contains the process id. Waits
 * while another process holds the lock; the lock of a dead process is ignored.
 *
 * @throws The signal's reason, once it is aborted.
 */
async function lockFolder(folder: string, signal: AbortSignal): Promise<AsyncDisposable> {
  const lock = `${folder}.lock`;
  for (;;) {
    signal.throwIfAborted();
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
      return { [Symbol.asyncDispose]: () => rm(lock, { force: true }) };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (await isLeft(lock)) await rm(lock, { force: true });
    else await wait(LOOK_AGAIN_MS, undefined, { signal });
  }
}

/** Whether a lock is stale: its process is dead, or died before it wrote its id. */
async function isLeft(lock: string): Promise<boolean> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const holder = Number(text);
  if (holder > 0) return !hasProcess(holder);
  const { mtimeMs = Date.now() } = (await stat(lock).catch(() => undefined)) ?? {};
  return Date.now() - mtimeMs > WRITING_MS;
}
