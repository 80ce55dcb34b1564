import { createHash } from 'node:crypto';
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

/** See random(4): a new one with every boot. Elsewhere `-`. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '-';
  }
}

let place: string | undefined;

/**
 * Where and since when ids of processes mean what they mean here, in 10 hexadecimal digits: the first namespace has the
 * same number on every machine, no two boots have the same id. Elsewhere `-`.
 */
export function processPlace(): string {
  place ??= [bootId(), pidNamespace()].includes('-')
    ? '-'
    : createHash('sha256').update(`${bootId()}:${pidNamespace()}`).digest('hex').slice(0, 10);
  return place;
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
