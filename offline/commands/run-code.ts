import type { HandlerContext } from '../context.ts';
import { TaskError } from '../task-error.ts';
import { splitCommand } from './split-command.ts';

/** Code to run, exactly as in the task. */
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
  /** The command ran, but its outcome is unknown. */
  readonly note?: string;
  /** What may have stopped it, and which files are not kept. */
  readonly hint?: string;
  /** It had only read access and reported that it could not write. */
  readonly needs_write?: boolean;
}

/**
 * Runs code with read access first, and again with write access if a part of it could not write. A task that says
 * "with write access", and a command that redirects into a file, start there.
 *
 * @throws TaskError `COMMAND_FAILED` with exit code and output if the exit code is not 0.
 */
export async function runCode(
  context: HandlerContext,
  code: Code,
  { cwd, mayWrite }: Options,
): Promise<Ended> {
  const access = mayWrite || redirects(code) ? 'write' : 'read';
  const first = await start(context, { code, cwd, access });
  const ended = first.needs_write ? await start(context, { code, cwd, access: 'write' }) : first;
  if (ended.exit_code === 0 || ended.note !== undefined) return ended;
  throw new TaskError('COMMAND_FAILED', failureText(code, ended));
}

const intoFile = /(?<![=-])>>?\s*(?!&|\/dev\/(?:null|stdout|stderr)\b)[^\s&]|\btee\b/;

/** `date > now.txt`, `ls | tee files.txt`; quoted text is left out. */
const redirects = ({ kind, text }: Code): boolean =>
  kind === 'command' && intoFile.test(text.replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, '""'));

interface Options {
  /** A folder of the workspace. Default: the workspace. */
  readonly cwd: string | undefined;
  readonly mayWrite: boolean;
}

interface Start {
  readonly code: Code;
  readonly cwd: string | undefined;
  readonly access: 'read' | 'write';
}

/** A call that was interrupted by a crash, and that a person confirmed, has a note and no output. */
const NOTHING_KNOWN = {
  exit_code: null,
  signal: null,
  stdout: '',
  stderr: '',
  stdout_bytes: 0,
  stderr_bytes: 0,
  truncated: false,
  duration_ms: 0,
};

async function start(context: HandlerContext, options: Start): Promise<Ended> {
  const result = (await call(context, options)) as Partial<Ended>;
  return { ...NOTHING_KNOWN, ...result };
}

function call(context: HandlerContext, { code, cwd, access }: Start): Promise<unknown> {
  const reason = 'The task contains this code';
  if (code.kind === 'python') {
    return context.call('python_exec', { code: code.text, access }, reason);
  }
  const argv = splitCommand(code.text);
  const command = argv === undefined ? { command: code.text } : { argv };
  const place = cwd === undefined ? {} : { cwd };
  return context.call('terminal', { ...command, ...place, access }, reason);
}

/** Longest output in a failure's message, in characters. */
const maxTailChars = 1_500;

function failureText(code: Code, { exit_code, signal, stdout, stderr, hint }: Ended): string {
  const how =
    exit_code === null
      ? `was ended by ${signal ?? 'a signal'}`
      : `ended with exit code ${exit_code}`;
  const said = [stderr, stdout].map((text) => text.trim()).find((text) => text !== '');
  const tail = said === undefined ? ' It printed nothing.' : `\n${said.slice(-maxTailChars)}`;
  const more = hint === undefined ? '' : `\n${hintForPeople(hint)}`;
  return `${nameOf(code)} ${how}.${tail}${more}`;
}

/** A hint of the tool, in words for the task. */
export const hintForPeople = (hint: string): string =>
  hint.includes('needs write access') ? `${hint} Say "with write access" in the task.` : hint;

/** A short name for a person. */
export function nameOf({ kind, text }: Code): string {
  const line = text.trim().split('\n')[0] ?? '';
  const isLong = line.length > 80 || text.trim().includes('\n');
  const shown = `\`${line.slice(0, 80)}${isLong ? '…' : ''}\``;
  return kind === 'python' ? `The Python code ${shown}` : shown;
}
