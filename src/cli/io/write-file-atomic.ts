import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../../contract/errors.ts';
import { usage } from '../../contract/usage.ts';
import type { CommandIo } from '../command.ts';
import { terminalJson } from './print-json.ts';

/** Writes a file atomically, with mode 0600. @throws AppError `USAGE` if it can't be written. */
export const writeFileAtomic = (path: string, text: string): void =>
  writeDraft(path, text, (draft) => renameSync(draft, path));

/** Checks before any work that a file can be written later: writes a draft and removes it. @throws AppError `USAGE`. */
export function assertWritable(path: string): void {
  writeDraft(path, '', (draft) => rmSync(draft));
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw usage(`${path} is not a regular file. Name another.`);
}

function writeDraft(path: string, text: string, finish: (draft: string) => void): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.draft`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
    finish(draft);
  } catch (error) {
    const folder = dirname(path);
    const isFolder = existsSync(folder);
    if (existsSync(draft)) rmSync(draft, { force: true });
    const why = isFolder ? messageOf(error).split(',')[0] : `there is no folder ${folder}`;
    throw usage(`${path} can't be written: ${why}.`);
  }
}

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
