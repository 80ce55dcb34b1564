import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/** The IPC channel to the process that forked this one, if any: Node needs it. */
const channel = (): number | undefined =>
  (process.channel as { readonly fd?: number } | undefined)?.fd;

/**
 * Closes inherited file descriptors: a descriptor without close-on-exec is passed into every
 * sandbox, and allows an escape (fcntl(2); `flags` of /proc/PID/fdinfo in proc(5)). To be called before any file is opened.
 * Does nothing without `/proc`.
 */
export function closeInherited(): void {
  for (const name of descriptors()) {
    const fd = Number(name);
    if (fd <= 2 || fd === channel()) continue;
    try {
      const facts = readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8');
      const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(facts)?.[1] ?? '', 8);
      if ((flags & CLOSE_ON_EXEC) === 0) closeSync(fd);
    } catch {
      // The descriptor with which the folder was listed is closed by now.
    }
  }
}

function descriptors(): readonly string[] {
  try {
    return readdirSync('/proc/self/fdinfo');
  } catch {
    return [];
  }
}
