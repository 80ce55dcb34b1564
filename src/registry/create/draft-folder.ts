import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where a capsule is made before it gets its place: hidden beside the others, so that it only has to be renamed. It names
 * our process. What processes that are gone had half made there is taken away.
 */
export function draftFolder(agentsDir: string): string {
  for (const name of readdirSync(agentsDir)) {
    const [, pid] = /^\.draft-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && isGone(Number(pid)))
      rmSync(join(agentsDir, name), { recursive: true, force: true });
  }
  return join(agentsDir, `.draft-${process.pid}-${randomBytes(6).toString('hex')}`);
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
