import { closeSync, openSync, readdirSync } from 'node:fs';
import { textOfFile, tryOr } from '../../platform/try-or.ts';

const CLOSE_ON_EXEC = 0o2000000;

/** The IPC channel to the process that forked this one, if any: Node needs it. */
const channel = (): number | undefined =>
  (process.channel as { readonly fd?: number } | undefined)?.fd;

/**
 * Closes inherited file descriptors: a descriptor without close-on-exec is passed into every
 * sandbox, and allows an escape (fcntl(2); `flags` of /proc/PID/fdinfo in proc(5)). Their numbers stay in use, since a part of
 * this process may still write to one (V8 with `--perf-basic-prof` does), and the next file would get it: a database.
 * To be called before any file is opened. Does nothing without `/proc`.
 */
export function closeInherited(): void {
  for (const name of tryOr(() => readdirSync('/proc/self/fdinfo'), [])) {
    const fd = Number(name);
    if (fd <= 2 || fd === channel()) continue;
    // The descriptor with which the folder was listed is closed by now, and has no flags.
    const flags = /^flags:\s*([0-7]+)/m.exec(textOfFile(`/proc/self/fdinfo/${fd}`))?.[1];
    const isInherited = flags && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
    if (isInherited) tryOr(() => replaceByNothing(fd), undefined);
  }
}

/** Makes a number stand for `/dev/null`, if this process may open so many files. A new file gets the lowest number that is free. */
function replaceByNothing(fd: number): void {
  closeSync(fd);
  const lower: number[] = [];
  try {
    for (let at = openNothing(); at < fd; at = openNothing()) lower.push(at);
  } finally {
    for (const one of lower) closeSync(one);
  }
}

const openNothing = (): number => openSync('/dev/null', 'w');
