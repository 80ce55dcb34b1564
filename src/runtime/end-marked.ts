import { readdir, readFile } from 'node:fs/promises';

/** The variable by which the processes of one call or attempt are found again, also those that left its group. */
export const CALL_MARK = 'CAPSTAN_CALL';

/** Ends every process that carries the mark in its first environment (Linux only: read from /proc). */
export async function endMarked(mark: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const wanted = Buffer.from(`${CALL_MARK}=${mark}\0`);
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const environment = await readFile(`/proc/${name}/environ`).catch(() => undefined);
      if (!environment?.includes(wanted)) return;
      try {
        process.kill(Number(name), 'SIGKILL');
      } catch {
        // Gone between the two.
      }
    }),
  );
}
