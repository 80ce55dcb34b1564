import { resolve } from 'node:path';
import type { CommandIo } from '../command.ts';
import { terminalJson } from './print-json.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

/** Writes a JSON text to the file that `--out` names. Returns its path; undefined for `-`, which prints it on stdout. */
export function writeExport(text: string, out: string, io: CommandIo): string | undefined {
  if (out === '-') {
    io.stdout(io.isOutputTerminal ? terminalJson(text) : text);
    return undefined;
  }
  const path = resolve(io.cwd, out);
  writeFileAtomic(path, text);
  return path;
}
