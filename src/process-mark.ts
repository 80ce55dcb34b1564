import { readFileSync, readlinkSync } from 'node:fs';

/** Field 22 of /proc/PID/stat (proc(5)), counted after the closing parenthesis of the name. Elsewhere `-`. */
export function startTick(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-';
  } catch {
    return '-';
  }
}

/** Where ids of processes mean anything: see namespaces(7), `pid:[4026531836]`. Elsewhere `-`. */
export function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '-';
  } catch {
    return '-';
  }
}

/** Whether a process with that id is there, whoever owns it. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return true;
}
