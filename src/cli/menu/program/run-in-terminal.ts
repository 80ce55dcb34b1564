import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandIo } from '../../command.ts';

type Surroundings = Pick<CommandIo, 'environment' | 'cwd'>;

/**
 * Runs a program in this terminal and resolves with its exit code; undefined if it could not be started.
 *
 * @param command A shell command, as in git's `core.editor`: `code --wait`. The caller lends it the terminal.
 */
const runInTerminal = (
  { environment, cwd }: Surroundings,
  command: string,
  { args = [], input }: { readonly args?: readonly string[]; readonly input?: string },
): Promise<number | undefined> =>
  new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `${command} "$@"`, 'sh', ...args], {
      cwd,
      env: { ...environment, LESS: environment['LESS'] ?? 'FRX' },
      stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
    });
    child.on('error', () => resolve(undefined));
    child.on('exit', (code) => resolve(code ?? undefined));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });

/** Opens a text in the editor. Resolves with what was saved; undefined if the editor failed. */
export async function editInProgram(
  io: Surroundings,
  text: string,
  fileName: string,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-edit-'));
  try {
    const file = join(folder, fileName);
    await writeFile(file, text, { mode: 0o600 });
    const editor = io.environment['VISUAL'] || io.environment['EDITOR'] || 'vi';
    const code = await runInTerminal(io, editor, { args: [file] });
    return code === 0 ? await readFile(file, 'utf8') : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Shows a text in the pager. */
export const pageInProgram = async (io: Surroundings, input: string): Promise<void> =>
  void (await runInTerminal(io, io.environment['PAGER'] || 'less', { input }));
