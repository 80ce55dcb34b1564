import type { HandlerContext } from '../../runtime/capsule/sdk.ts';
import { TaskError } from '../task-error.ts';
import { splitCommand } from './split-command.ts';

/** One thing to run, exactly as the task gives it. */
export interface Code {
  readonly kind: 'command' | 'python';
  readonly text: string;
}

export interface Ended {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdout_bytes: number;
  readonly stderr_bytes: number;
  readonly truncated: boolean;
  readonly duration_ms: number;
}

const wantedToWrite = /read-only file system|EROFS|access: ?"?write/i;

/**
 * Runs code with read access first, and again with write access where it only failed for want of that.
 *
 * @throws TaskError `COMMAND_FAILED` with exit code and output where it does not end with 0.
 */
export async function runCode(
  context: HandlerContext,
  code: Code,
  cwd: string | undefined,
): Promise<Ended> {
  const first = await start(context, { code, cwd, access: 'read' });
  const isRefused = first.exit_code !== 0 && wantedToWrite.test(first.stderr);
  const ended = isRefused ? await start(context, { code, cwd, access: 'write' }) : first;
  if (ended.exit_code === 0) return ended;
  throw new TaskError('COMMAND_FAILED', failureText(code, ended));
}

interface Start {
  readonly code: Code;
  readonly cwd: string | undefined;
  readonly access: 'read' | 'write';
}

async function start(context: HandlerContext, { code, cwd, access }: Start): Promise<Ended> {
  const reason = 'The task gives it to be run';
  if (code.kind === 'python') {
    return (await context.call('python_exec', { code: code.text, access }, reason)) as Ended;
  }
  const argv = splitCommand(code.text);
  const command = argv === undefined ? { command: code.text } : { argv };
  return (await context.call(
    'terminal',
    { ...command, ...(cwd === undefined ? {} : { cwd }), access },
    reason,
  )) as Ended;
}

/** Longest output in a failure's message, in characters. */
const maxTailChars = 1_500;

function failureText(code: Code, { exit_code, signal, stdout, stderr }: Ended): string {
  const how =
    exit_code === null
      ? `was ended by ${signal ?? 'a signal'}`
      : `ended with exit code ${exit_code}`;
  const said = [stderr, stdout].map((text) => text.trim()).find((text) => text !== '');
  const tail = said === undefined ? ' It printed nothing.' : `\n${said.slice(-maxTailChars)}`;
  return `${nameOf(code)} ${how}.${tail}`;
}

/** A short name for a person. */
export function nameOf({ kind, text }: Code): string {
  const line = text.trim().split('\n')[0] ?? '';
  const isLong = line.length > 80 || text.trim().includes('\n');
  const shown = `\`${line.slice(0, 80)}${isLong ? '…' : ''}\``;
  return kind === 'python' ? `The Python code ${shown}` : shown;
}
