import { readlinkSync } from 'node:fs';
import { once } from './once.ts';
import { sha256 } from './text/canonical-hash.ts';
import { codeOf, textOfFile, tryOr } from './try-or.ts';

/** The start time of a process in clock ticks: field 22 of /proc/PID/stat, see proc(5). `-` if there is none. */
export const startTick = (pid: number): string => statOf(pid)[19] ?? '-';

/** The fields of /proc/PID/stat from the third one on. */
function statOf(pid: number): readonly string[] {
  const stat = textOfFile(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The number of this process's PID namespace, see namespaces(7): `pid:[4026531836]`. `-` if there is none. */
export const pidNamespace = (): string =>
  /\d+/.exec(tryOr(() => readlinkSync('/proc/self/ns/pid'), ''))?.[0] ?? '-';

/** The id of this boot, see random(4). `-` if there is none. */
export const bootId = (): string => textOfFile('/proc/sys/kernel/random/boot_id').trim() || '-';

/**
 * Identifies boot and PID namespace, the scope in which process ids are unique, as 10 hexadecimal digits. Both are
 * needed: the first namespace has the same number on every machine. `-` if either is unknown.
 */
export const processPlace = once((): string =>
  [bootId(), pidNamespace()].includes('-')
    ? '-'
    : sha256(`${bootId()}:${pidNamespace()}`).slice(0, 10),
);

/** Whether a process of any user with this id runs. Zombies do not count. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return !['Z', 'X'].includes(statOf(pid)[0] ?? '');
}
