import { readFileSync } from 'node:fs';

/**
 * Names one life of one process: its id and, where the kernel tells, the tick at which it started, so that a reused id
 * is not mistaken for it.
 */
export const identityOf = (pid: number): string => `${pid}:${startTick(pid)}`;

let own: string | undefined;

/** The identity of this very process. */
export function ownIdentity(): string {
  own ??= identityOf(process.pid);
  return own;
}

/** Whether the process of that identity still lives. */
export function isAlive(identity: string): boolean {
  const pid = Number(identity.split(':')[0]);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return identityOf(pid) === identity;
}

/** Field 22 of /proc/PID/stat (proc(5)), counted after the closing parenthesis of the name. Elsewhere `-`. */
function startTick(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-';
  } catch {
    return '-';
  }
}
