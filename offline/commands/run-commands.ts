import type { Handler, HandlerContext, Outcome } from '../context.ts';
import { fenced } from '../language/escape.ts';
import type { Token } from '../language/lexer.ts';
import { type Filled, form } from '../phrases/form.ts';
import { performTask } from '../phrases/perform-task.ts';
import { TaskError } from '../task-error.ts';
import { gitForms } from './git-forms.ts';
import { type Code, type Ended, hintForPeople, nameOf, runCode } from './run-code.ts';
import { testForms } from './test-forms.ts';

const can =
  'I run commands in back-ticks, and bash or Python code in fences, exactly as they stand, the tests of the folder, and some of git; I report exit code and output.';
const run = '(run|execute|invoke|start|use|call|launch)';
const kindOf =
  '(this|these|following|it|shell|bash|terminal|python|python3|commands?|code|script|program|snippet|test suite|tests|build)';
const what = `[${kindOf}] [${kindOf}] [${kindOf}] [${kindOf}]`;
const place = '[(in|from|inside|within) [folder|directory] {folder:file} [folder|directory]]';
const writing = '[writing:(with write access)]';
const part = '(its|what it prints?|results?|outputs?|exit code|exit status)';
const shown = `[and (show|report|print|tell|give|display|return|list) [me] [back] ${part} [${part}] [and ${part}] [${part}]]`;

const forms = [
  form(
    running,
    'Run `ls`',
    `(${run}|show [me] [what|output of|result of]|what does|what is (output|result) of|get output of|check with) ${what} {codes:code|fence+} [prints?|outputs?|says?|gives?|command] ${place} ${writing} ${shown}`,
    `${what} {codes:code|fence+} ${place} ${writing}`,
    `in [folder|directory] {folder:file} [folder|directory] ${run} ${what} {codes:code|fence+} ${writing} ${shown}`,
  ),
  form(scripting, 'Run {file}', `${run} ${what} {script:file} ${place} ${writing} ${shown}`),
  ...gitForms((command, filled, context) => runAll(context, [command], filled)),
  ...testForms((command, filled, context) => runAll(context, [command], filled)),
];

/** Runs the code of the task, word for word. */
export const runCommands: Handler = (context) => performTask(context, { forms, can });

function running(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const given = filled.tokens('codes').filter(({ kind }) => kind === 'code' || kind === 'fence');
  const codes = given.map((token) => codeOf(token, filled.instruction.task));
  return runAll(context, codes, filled);
}

/** The language of a fence; without one, the task has to name it. */
function codeOf({ kind, text, language }: Token, task: string): Code {
  if (/^(?:select|with)\s/i.test(text.trim()) || /^sql/.test(language))
    throw new TaskError(
      'NOT_SUPPORTED',
      'SQL is not a command: say "run this SQL query on NAME.db".',
    );
  const isPython =
    /^py/.test(language) || (language === '' && kind === 'fence' && /\bpython\b/i.test(task));
  if (isPython) return { kind: 'python', text };
  if (kind === 'code' || /^(?:|bash|sh|shell|console|terminal|zsh)$/.test(language))
    return { kind: 'command', text: text.replace(/^\$ /, '') };
  throw new TaskError(
    'NOT_SUPPORTED',
    `Code in "${language}" is not run: only bash and Python are.`,
  );
}

const programs = new Map([
  ['py', 'python3'],
  ['sh', 'bash'],
  ['bash', 'bash'],
  ['js', 'node'],
  ['mjs', 'node'],
  ['cjs', 'node'],
]);

function scripting(filled: Filled, context: HandlerContext): Promise<Outcome> {
  const path = filled.text('script') ?? '';
  const program = programs.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
  if (program === undefined)
    throw new TaskError(
      'NOT_SUPPORTED',
      `It is not clear how ${path} is run: give the whole command in back-ticks.`,
    );
  if (/["']/.test(path))
    throw new TaskError('NOT_SUPPORTED', `Give the whole command for ${path} in back-ticks.`);
  return runAll(context, [{ kind: 'command', text: `${program} "${path}"` }], filled);
}

async function runAll(
  context: HandlerContext,
  codes: readonly Code[],
  filled: Filled,
): Promise<Outcome> {
  if (filled.instruction.bans.length > 0)
    throw new TaskError(
      'NOT_UNDERSTOOD',
      "Whether a command keeps its hands off files can't be promised: leave that sentence out, or run a command that does not touch it.",
    );
  const options = { cwd: filled.text('folder'), mayWrite: filled.word('writing') !== undefined };
  const ended: { code: Code; end: Ended }[] = [];
  for (const code of codes) {
    context.progress(`running ${nameOf(code)}`);
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

function report(code: Code, end: Ended): string {
  const { note, hint, stdout, stderr, truncated, stdout_bytes, stderr_bytes } = end;
  if (note !== undefined) return `${nameOf(code)}: ${note}`;
  const cut = truncated
    ? ` Its output was cut (${stdout_bytes} bytes of output, ${stderr_bytes} of errors in all).`
    : '';
  const parts = [block('', stdout), block('On stderr:\n', stderr)].filter((part) => part !== '');
  const said = parts.length === 0 ? ' It printed nothing.' : `\n\n${parts.join('\n\n')}`;
  const more = hint === undefined ? '' : `\n\n${hintForPeople(hint)}`;
  return `${nameOf(code)} ended with exit code 0.${cut}${said}${more}`;
}

const block = (lead: string, output: string) =>
  output.trim() === '' ? '' : `${lead}${fenced(output.replace(/\n+$/, ''))}`;
