import { TaskError } from '../../offline/task-error.ts';
import type { Handler, HandlerContext } from '../runtime/capsule/sdk.ts';
import { type Code, type Ended, nameOf, runCode } from './commands/run-code.ts';
import type { Act, Outcome } from './files/file-tool.ts';
import type { Atom } from './instruction/atoms.ts';
import { type Filled, type Form, form, matchForm } from './instruction/form.ts';
import { readInstruction } from './instruction/instruction.ts';
import { notSupported } from './instruction/not-understood.ts';

const can =
  'I run commands in back-ticks, and bash or Python code in fences, exactly as they stand, and report exit code and output.';
const run = '(?:run|execute|invoke|start|use|call|launch)';
const what =
  '(?:(?:this|these|following|it|shell|bash|terminal|python3?|commands?|code|script|program|snippet|test suite|tests|build)[ ,:]*)*';
const place =
  '(?:,? (?:in|from|inside|within) (?:folder |directory )?<folder:file>(?: folder| directory)?)?';
const writing = '(?<writing>,? with write access)?';
const shown =
  '(?:,? and (?:show|report|print|tell|give|display|return|list)(?: me)?(?: back)? (?:(?:its?|what it prints?|results?|outputs?|exit code|exit status)(?: and )?)+)?';

const forms: readonly Form<Act>[] = [
  form(
    `(?:${run}|show(?: me)?(?: (?:what|output of|result of))?|what does|what is (?:output|result) of|get output of|check with) ${what}<codes:code|fence+>(?: (?:prints?|outputs?|says?|gives?|command))?${place}${writing}${shown}`,
    running,
  ),
  form(`${what}<codes:code|fence+>${place}${writing}`, running),
  form(
    `in (?:folder |directory )?<folder:file>(?: folder| directory)?,? ${run} ${what}<codes:code|fence+>${writing}${shown}`,
    running,
  ),
  form(`${run} ${what}<script:file>${place}${writing}${shown}`, scripting),
];

function running(filled: Filled): Act {
  const codes = filled.atoms('codes').map((atom) => codeOf(atom, filled.instruction.task));
  return (context) => runAll(context, codes, filled);
}

/** Fences say their language; a fence without one has to be named in the task. */
function codeOf({ kind, value, language }: Atom, task: string): Code {
  if (/^(?:select|with)\s/i.test(value.trim()) || /^sql/.test(language)) {
    throw notSupported('SQL is not a command: say "run this SQL query on NAME.db".');
  }
  const isPython =
    /^py/.test(language) || (language === '' && kind === 'fence' && /\bpython\b/i.test(task));
  if (isPython) return { kind: 'python', text: value };
  if (kind === 'code' || /^(?:|bash|sh|shell|console|terminal|zsh)$/.test(language)) {
    return { kind: 'command', text: value.replace(/^\$ /, '') };
  }
  throw notSupported(`Code in "${language}" is not run: only bash and Python are.`);
}

function scripting(filled: Filled): Act {
  const path = filled.atom('script')?.value ?? '';
  const programs = new Map([
    ['py', 'python3'],
    ['sh', 'bash'],
    ['bash', 'bash'],
    ['js', 'node'],
    ['mjs', 'node'],
    ['cjs', 'node'],
  ]);
  const program = programs.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
  if (program === undefined)
    throw notSupported(`It is not clear how ${path} is run: give the whole command in back-ticks.`);
  if (/["']/.test(path)) throw notSupported(`Give the whole command for ${path} in back-ticks.`);
  return (context) => runAll(context, [{ kind: 'command', text: `${program} "${path}"` }], filled);
}

async function runAll(
  context: HandlerContext,
  codes: readonly Code[],
  filled: Filled,
): Promise<Outcome> {
  if (filled.instruction.bans.length > 0) {
    throw new TaskError(
      'NOT_UNDERSTOOD',
      "Whether a command keeps its hands off files can't be promised: leave that sentence out, or run a command that does not touch it.",
    );
  }
  const ended: { code: Code; end: Ended }[] = [];
  const options = {
    cwd: filled.atom('folder')?.value,
    mayWrite: filled.word('writing') !== undefined,
  };
  for (const [index, code] of codes.entries()) {
    context.progress(`running ${nameOf(code)}`, index / codes.length);
    ended.push({ code, end: await runCode(context, code, options) });
  }
  const data = {
    commands: ended.map(({ code, end }) => ({
      command: code.text,
      exit_code: end.exit_code,
      stdout: end.stdout,
      stderr: end.stderr,
      truncated: end.truncated,
    })),
    stdout: ended.map(({ end }) => end.stdout).join(''),
    exit_code: 0,
  };
  return { text: ended.map(({ code, end }) => report(code, end)).join('\n\n'), data };
}

function report(
  code: Code,
  { note, hint, stdout, stderr, truncated, stdout_bytes, stderr_bytes }: Ended,
): string {
  if (note !== undefined) return `${nameOf(code)}: ${note}`;
  const cut = truncated
    ? ` Its output was cut (${stdout_bytes} bytes of output, ${stderr_bytes} of errors in all).`
    : '';
  const parts = [block('', stdout), block('On stderr:\n', stderr)].filter((part) => part !== '');
  const said = parts.length === 0 ? ' It printed nothing.' : `\n\n${parts.join('\n\n')}`;
  const more = hint === undefined ? '' : `\n\n${hint}`;
  return `${nameOf(code)} ended with exit code 0.${cut}${said}${more}`;
}

function block(lead: string, output: string): string {
  if (output.trim() === '') return '';
  const ticks = '`'.repeat(
    Math.max(3, ...[...output.matchAll(/`+/g)].map(([found]) => found.length + 1)),
  );
  return `${lead}${ticks}\n${output.replace(/\n+$/, '')}\n${ticks}`;
}

/** Runs what the task gives, word for word. */
const runCommands: Handler = (context) =>
  matchForm(readInstruction(context.task), forms, can)(context);

export const handlers: Record<string, Handler> = { run_commands: runCommands };
