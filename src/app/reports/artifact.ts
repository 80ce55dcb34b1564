import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { AppError } from '../../contract/errors.ts';
import type { Stores } from '../../coordinator/store/open-stores.ts';
import type { RunRecord } from '../../coordinator/store/run-store.ts';
import { runDocument } from '../runs/show/run-document.ts';

export interface Artifact {
  readonly name: string;
  readonly content: Buffer;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** `reports.artifact`: see there. */
export async function readArtifact(
  stores: Stores,
  run: RunRecord,
  path: string,
): Promise<Artifact> {
  const known = runDocument(stores, run).artifacts.find((one) => one.path === path);
  const fail = (problem: string) => new AppError('USAGE', { problem, field: 'path' });
  if (!known) throw fail(`The run made no file ${path}.`);
  if (known.bytes > MAX_BYTES) throw fail(`${path} is larger than 64 MiB.`);
  const wanted = resolve(join(run.workspace, path));
  const real = await realpath(wanted).catch(() => undefined);
  if (real === undefined) throw fail(`${path} is gone.`);
  if (!real.startsWith(`${run.workspace}${sep}`)) throw fail(`${path} leads out of the workspace.`);
  // Opened once, so that the checked file is the file that is read; non-blocking, so that a pipe can't hang it.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (!file) throw fail(`${path} is gone.`);
  try {
    const found = await file.stat();
    if (!found.isFile()) throw fail(`${path} is not a regular file.`);
    if (found.size > MAX_BYTES) throw fail(`${path} is larger than 64 MiB.`);
    return { name: path.split('/').at(-1) ?? 'file', content: await file.readFile() };
  } finally {
    await file.close();
  }
}
