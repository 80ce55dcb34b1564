import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/** The channel to the process that forked this one, where one did: Node needs it. */
const channel = (): number | undefined =>
  (process.channel as { readonly fd?: number } | undefined)?.fd;

/**
 * Closes what whoever started this process had left open: a descriptor that is not closed on exec passes into every
 * sandbox, and leads out of it (fcntl(2); `flags` of /proc/PID/fdinfo in proc(5)). To be called before anything is opened.
 * Does nothing where there is no `/proc`.
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
      // The descriptor with which the folder was listed is gone by now.
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
