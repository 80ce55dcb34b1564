import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The layout of @xenova/transformers and the name on the hub. */
export const MODEL_ID = 'Xenova/all-MiniLM-L6-v2';
export const MODEL_FILE = 'onnx/model_quantized.onnx';
export const MODEL_FILES = [
  'config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  MODEL_FILE,
] as const;

/** The pinned revision of the hub, and the size and SHA-256 of its model file. */
export const HUB_REVISION = '751bff37182d3f1213fa05d7196b954e230abad9';
export const HUB_MODEL_BYTES = 22_972_370;
export const HUB_MODEL_SHA256 = 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1';

/**
 * The folder of a model: `dir` itself, or `Xenova/all-MiniLM-L6-v2` below it. Undefined if a file is missing.
 */
export function findModelFolder(dir: string): string | undefined {
  return [dir, join(dir, MODEL_ID)].find((folder) => missingFiles(folder).length === 0);
}

/** The folder for the download below the cache folder. */
export const downloadFolder = (cacheDir: string): string =>
  join(cacheDir, 'models', `${basename(MODEL_ID)}-${HUB_REVISION.slice(0, 8)}`);

export const missingFiles = (folder: string): string[] =>
  MODEL_FILES.filter((file) => !existsSync(join(folder, file)));

/** SHA-256 of a file, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}
