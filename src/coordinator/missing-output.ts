import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findWrittenFiles } from '../registry/written-files.ts';
import type { Step } from './plan.ts';
import type { RunContext } from './run-context.ts';

/** A sentence that names a file which the step says to write, and which the run did not write; undefined if there is none. */
export async function missingOutput(run: RunContext, step: Step): Promise<string | undefined> {
  for (const { name, mayExist } of findWrittenFiles(step.description)) {
    const age = await ageOf(run, resolve(run.record.workspace, name));
    if (age === 'new' || (age === 'old' && mayExist)) continue;
    return `The capsule says that it is done, but ${name}, which the task says to write, was not written.`;
  }
  return undefined;
}

/** `new`: written in this run. Tools note what they write; what a program wrote shows by its time of change. */
async function ageOf(
  { parts, record }: RunContext,
  named: string,
): Promise<'new' | 'old' | 'none'> {
  try {
    const path = await realpath(named);
    const isNew =
      (await stat(path)).ctimeMs >= Date.parse(record.createdAt) ||
      parts.files.writtenBy(record.id).some((file) => file.path === path);
    return isNew ? 'new' : 'old';
  } catch {
    return 'none';
  }
}
