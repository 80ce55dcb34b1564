import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findWrittenFiles } from '../registry/named-files.ts';
import type { Step } from './plan.ts';
import type { RunContext } from './run-context.ts';

/** A sentence that names a file which the step says to write, and which the run neither wrote nor read; undefined if there is none. */
export async function missingOutput(run: RunContext, step: Step): Promise<string | undefined> {
  for (const name of findWrittenFiles(step.description)) {
    if (await isMade(run, resolve(run.record.workspace, name))) continue;
    return `The capsule says that it is done, but ${name}, which the task says to write, was not written.`;
  }
  return undefined;
}

/** Tools note what they write and read; what a program wrote shows by its time of change. */
async function isMade({ parts, record }: RunContext, named: string): Promise<boolean> {
  try {
    const path = await realpath(named);
    if (parts.files.knownTo(record.id, path) !== undefined) return true;
    return (await stat(path)).ctimeMs >= Date.parse(record.createdAt);
  } catch {
    return false;
  }
}
