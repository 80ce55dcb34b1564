import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { type Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../contract/errors.ts';
import { sha256 } from '../platform/text/canonical-hash.ts';
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

/** Of a file besides the model file. */
const MAX_JSON_BYTES = 4 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 600_000;
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
  /** The folder for the model, created completely or not at all. */
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
 * Downloads the pinned revision of all-MiniLM-L6-v2 from the hub, in memory. An interrupted transfer continues from its last
 * byte. The folder appears only when every file is there and the model file has the pinned hash.
 *
 * @throws Error with the file and the reason.
 */
export async function downloadModel(options: DownloadOptions): Promise<void> {
  const { timeoutMs = TIMEOUT_MS } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    await download(options, signal);
  } catch (error) {
    const most = `it took longer than ${Math.round(timeoutMs / 1_000)} seconds`;
    throw signal.aborted ? new Error(most, { cause: error }) : error;
  }
}

async function download(options: DownloadOptions, signal: AbortSignal): Promise<void> {
  const { hubUrl = 'https://huggingface.co' } = options;
  const contents = new Map<string, Buffer>();
  for (const file of MODEL_FILES) {
    const url = new URL(`/${MODEL_ID}/resolve/${HUB_REVISION}/${file}`, hubUrl);
    const content = await downloadFile(url, { ...options, file, signal });
    if (file === MODEL_FILE) assertPinned(content, options, url);
    else assertJson(content, file);
    contents.set(file, content);
  }
  await writeFolder(options, contents);
}

/** Another process may have written the folder meanwhile. */
async function writeFolder(
  options: DownloadOptions,
  contents: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const { to } = options;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await removeOldDrafts(options);
  const draft = await mkdtemp(`${to}${DRAFT}`);
  try {
    await mkdir(join(draft, dirname(MODEL_FILE)), { mode: 0o700 });
    for (const [file, content] of contents)
      await writeFile(join(draft, file), content, { mode: 0o600 });
    if (await isWhole(to, options)) return;
    await rm(to, { recursive: true, force: true });
    await rename(draft, to).catch(async (error: unknown) => {
      if (!(await isWhole(to, options))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** What a name of a draft has between that of its folder and six random characters. */
const DRAFT = '.draft-';

/** Removes the drafts of downloads that were killed: those that are older than a download may take. */
async function removeOldDrafts({ to, timeoutMs = TIMEOUT_MS }: DownloadOptions): Promise<void> {
  for (const name of await readdir(dirname(to))) {
    if (!name.startsWith(`${basename(to)}${DRAFT}`)) continue;
    const draft = join(dirname(to), name);
    const madeMs = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (madeMs + timeoutMs < Date.now()) await rm(draft, { recursive: true, force: true });
  }
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

function assertPinned(content: Buffer, options: DownloadOptions, { host }: URL): void {
  const pin = pinOf(options);
  const found = sha256(content);
  if (content.length === pin.bytes && found === pin.sha256) return;
  throw new Error(
    `${MODEL_FILE} from ${host} has ${content.length} bytes and SHA-256 ${found}, not the pinned ${pin.bytes} and ${pin.sha256}`,
  );
}

/** Without a length, a truncated file may look complete, so its JSON is checked. */
function assertJson(content: Buffer, file: string): void {
  try {
    JSON.parse(content.toString('utf8'));
  } catch (error) {
    throw new Error(`${file} was not received completely: ${messageOf(error)}`, { cause: error });
  }
}

interface FileOptions extends DownloadOptions {
  readonly file: string;
  readonly signal: AbortSignal;
}

/** A failure that a retry would not change. */
class Refused extends Error {}

/** What was received of a file. */
interface Received {
  chunks: Buffer[];
  bytes: number;
}

async function downloadFile(url: URL, options: FileOptions): Promise<Buffer> {
  const received: Received = { chunks: [], bytes: 0 };
  for (let cuts = 0; ; ) {
    const from = received.bytes;
    try {
      await receive(await request(url, from, options), received, options);
      return Buffer.concat(received.chunks);
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof Refused) throw error;
      cuts = received.bytes > from ? 1 : cuts + 1;
      if (cuts >= MAX_CUTS)
        throw new Error(`${options.file} was not received completely: ${messageOf(error)}`);
      await wait(WAIT_AFTER_CUT_MS, undefined, { signal: options.signal });
    }
  }
}

/** Appends a response to what was received; a response from the beginning replaces it. */
async function receive(
  response: IncomingMessage,
  received: Received,
  { file, onProgress, model }: FileOptions,
): Promise<void> {
  const most = file === MODEL_FILE ? pinOf({ model }).bytes : MAX_JSON_BYTES;
  const { statusCode, headers } = response;
  if (statusCode !== PARTIAL) Object.assign(received, { chunks: [], bytes: 0 });
  if (statusCode === RANGE_NOT_SATISFIABLE) {
    response.resume();
    throw new Error(`the received part of ${file} differs from the file on the server`);
  }
  const totalBytes = received.bytes + Number(headers['content-length']) || undefined;
  for await (const chunk of response) {
    received.chunks.push(chunk as Buffer);
    received.bytes += (chunk as Buffer).length;
    onProgress?.({ file, receivedBytes: received.bytes, totalBytes });
    if (received.bytes > most) throw new Refused(`${file} is over ${most} bytes`);
  }
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
