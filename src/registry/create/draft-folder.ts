import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasProcess } from '../../platform/process-mark.ts';

/**
 * The hidden folder in which a capsule is written before it is renamed to its place. Its name contains the id of this
 * process. Unfinished folders of processes that no longer run are removed.
 */
export function draftFolder(agentsDir: string): string {
  for (const name of readdirSync(agentsDir)) {
    const [, pid] = /^\.draft-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !hasProcess(Number(pid)))
      rmSync(join(agentsDir, name), { recursive: true, force: true });
  }
  return join(agentsDir, `.draft-${process.pid}-${randomBytes(6).toString('hex')}`);
}
