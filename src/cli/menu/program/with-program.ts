import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandIo } from '../../command.ts';

/** Runs a program in this terminal and resolves with its exit code; undefined if it could not be started. */
export type RunProgram = (
  command: string,
  args: readonly string[],
  options?: { readonly input?: string },
) => Promise<number | undefined>;

/** The program is a line of a shell, as git takes it: `code --wait`. The caller gives it the terminal. */
export const runInTerminal =
  ({ environment, cwd }: Pick<CommandIo, 'environment' | 'cwd'>): RunProgram =>
  (command, args, { input } = {}) =>
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
  run: RunProgram,
  { environment }: Pick<CommandIo, 'environment'>,
  { text, fileName }: { readonly text: string; readonly fileName: string },
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-edit-'));
  try {
    const file = join(folder, fileName);
    await writeFile(file, text, { mode: 0o600 });
    const editor = environment['VISUAL'] || environment['EDITOR'] || 'vi';
    const code = await run(editor, [file]);
    return code === 0 ? await readFile(file, 'utf8') : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Shows a text in the pager. */
export async function pageInProgram(
  run: RunProgram,
  { environment }: Pick<CommandIo, 'environment'>,
  text: string,
): Promise<void> {
  await run(environment['PAGER'] || 'less', [], { input: text });
}
