import type { HandlerContext } from '../context.ts';
import { fenced } from '../language/escape.ts';
import { fail } from '../task-error.ts';

/** Code to run, exactly as written in the task. */
export interface Code {
  readonly kind: 'command' | 'python';
  readonly text: string;
}

/** The result of a command or of Python code. */
export interface Ended {
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdout_bytes: number;
  readonly stderr_bytes: number;
  readonly truncated: boolean;
  /** The command ran, but its outcome is unknown. */
  readonly note?: string;
  /** Likely cause of a failure, and files that were not kept. */
  readonly hint?: string;
  /** It had only read access and reported that it could not write. */
  readonly needs_write?: boolean;
}

/** Runs code with read access, and with write access if it asks for it or could not write. @throws TaskError `COMMAND_FAILED` */
export async function runCode(
  context: HandlerContext,
  code: Code,
  { cwd, mayWrite }: { readonly cwd: string | undefined; readonly mayWrite: boolean },
): Promise<Ended> {
  const start = async (access: 'read' | 'write') => {
    const [tool, args] = callOf(code, cwd);
    const result = await context.call(tool, { ...args, access }, 'The task contains this code');
    return { ...emptyResult, ...(result as Partial<Ended>) };
  };
  const first = await start(mayWrite || redirects(code) ? 'write' : 'read');
  const ended = first.needs_write ? await start('write') : first;
  if (ended.exit_code === 0 || ended.note !== undefined) return ended;
  return fail('COMMAND_FAILED', failureText(code, ended));
}

const intoFile = /(?<![=-])>>?\s*(?!&|\/dev\/(?:null|stdout|stderr)\b)[^\s&]|\btee\b/;

/** Whether a command writes a file: `date > now.txt`, `ls | tee files.txt`. Quoted text is ignored. */
const redirects = ({ kind, text }: Code): boolean =>
  kind === 'command' && intoFile.test(text.replace(/"(?:\\.|[^"\\])*"|'[^']*'/g, '""'));

/** Defaults for a call that was interrupted by a crash and confirmed by a person: it has only a note. */
const emptyResult: Ended = {
  ...{ exit_code: null, signal: null, stdout: '', stderr: '' },
  ...{ stdout_bytes: 0, stderr_bytes: 0, truncated: false },
};

function callOf({ kind, text }: Code, cwd: string | undefined): readonly [string, object] {
  if (kind === 'python') return ['python_exec', { code: text }];
  const argv = splitCommand(text);
  const command = argv === undefined ? { command: text } : { argv };
  return ['terminal', cwd === undefined ? command : { ...command, cwd }];
}

/** The words of a plain command line. Undefined if it needs a shell: pipes, redirections, variables, globs, several commands. */
export function splitCommand(line: string): readonly string[] | undefined {
  if (/[|&;<>()$`\\*?[\]{}~#!\n\r]/.test(line) || /^\s*[A-Za-z_]\w*=/.test(line)) return undefined;
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const isClosed = /^(?:"[^"]*"|'[^']*'|[^"'])*$/.test(line);
  if (!isClosed || words.length === 0) return undefined;
  return words.map((word) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_all, double, single) => double ?? single),
  );
}

/** Maximum length of output in an error message, in characters. */
const MAX_TAIL_CHARS = 1_500;

function failureText(code: Code, { exit_code, signal, stdout, stderr, hint }: Ended): string {
  const how =
    exit_code === null
      ? `was ended by ${signal ?? 'a signal'}`
      : `ended with exit code ${exit_code}`;
  const said = [stderr, stdout].map((text) => text.trim()).find((text) => text !== '');
  const tail =
    said === undefined ? ' It printed nothing.' : `\n\n${fenced(lastLines(said, MAX_TAIL_CHARS))}`;
  return `${nameOf(code)} ${how}.${tail}${hintForPeople(hint, '\n\n')}`;
}

const lastLines = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : `…\n${text.slice(-maxChars).replace(/^.*\n/, '')}`;

/** A hint of the tool, with the words that a task needs to follow it. */
export function hintForPeople(hint: string | undefined, before: string): string {
  if (hint === undefined) return '';
  const advice = 'If it must change files, say "with write access" in the task.';
  return `${before}${hint.replace(/To change files, a command needs write access\./, advice)}`;
}

/** A short name of the code, for messages. */
export function nameOf({ kind, text }: Code): string {
  const [line = '', ...others] = text.trim().split('\n');
  const isLong = line.length > 80 || others.length > 0;
  const shown = `\`${line.slice(0, 80)}${isLong ? '…' : ''}\``;
  return kind === 'python' ? `The Python code ${shown}` : shown;
}
