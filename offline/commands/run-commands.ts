import type { Handler, Outcome } from '../context.ts';
import { fenced } from '../language/escape.ts';
import type { Token } from '../language/lexer.ts';
import { FOUND_BEFORE } from '../language/lexicon.ts';
import { type Act, formsOf, type Step } from '../phrases/form.ts';
import { readInstruction } from '../phrases/instruction.ts';
import { performTask } from '../phrases/perform-task.ts';
import { fail } from '../task-error.ts';
import { historyCommand } from './git-history.ts';
import { knownCommands, knownForms } from './known-commands.ts';
import { type Code, type Ended, hintForPeople, nameOf, runCode } from './run-code.ts';

const can =
  'I run commands in back-ticks and bash or Python code in fences, exactly as written, as well as the tests of the folder and common Git requests. I report exit code and output.';

const known = Object.entries(knownCommands).map(([name, commandFor]): readonly [string, Act] => [
  name,
  async (step) => {
    const given = ['file', 'files', 'name', 'source', 'copy', 'message'].flatMap(step.tokens);
    if (given.some(({ text }) => /["$`\\!]/.test(text)))
      fail('NOT_SUPPORTED', 'Give the whole command in back-ticks.');
    const texts = [await commandFor(step)].flat();
    return runAll(
      step,
      texts.map((text) => ({ kind: 'command', text })),
    );
  },
]);

/** Forms that run commands. */
export const commandForms = formsOf(
  `
run = (run|execute|invoke|start|use|call|launch)
kind = [this|these|following|it|shell|bash|terminal|python|python3|commands?|code|script|program|snippet|test suite|tests|build]
what = <kind> <kind> <kind> <kind>
in = [<fold>] {folder:file} [<fold>]
place = [(in|from|inside|within) <in>]
writing = [writing:(with write access)]
part = (its|what it prints?|results?|outputs?|exit code|exit status)
shown = <writing> [and (show|report|print|tell|give|display|return|list) [me] [back] <part> [<part>] [and <part>] [<part>]]
running: Run \`ls\`
  (<run>|show [me] [what|output of|result of]|what does|what is (output|result) of|get output of|check with) <what> {codes:code|fence+} [prints?|outputs?|says?|gives?|command] <place> <shown>
  in <in> <run> <what> {codes:code|fence+} <shown>
scripting: Run {file}
  <run> <what> {script:file} <place> <shown>
${knownForms}`,
  { running, scripting, ...Object.fromEntries(known) },
);

/** Runs the code of the task exactly as written, or the command for a question about commits. */
export const runCommands: Handler = (context) => {
  const asked = context.task.replace(new RegExp(` in ${FOUND_BEFORE}`), '');
  const command = historyCommand(readInstruction(asked));
  const task = command ? `Run \`${command}\`` : context.task;
  return performTask({ ...context, task }, { forms: commandForms, can });
};

function running(step: Step): Promise<Outcome> {
  const given = step.tokens('codes').filter(({ kind }) => kind === 'code' || kind === 'fence');
  const codes = given.map((token) => codeOf(token, step.task));
  return runAll(step, codes);
}

/** Code in its language. A fence without a language is Python if the task says so. */
function codeOf({ kind, text, language }: Token, task: string): Code {
  if (/^(?:select|with)\s/i.test(text.trim()) || /^sql/.test(language))
    fail('NOT_SUPPORTED', 'SQL is not a command. Say "run this SQL query on NAME.db".');
  const isUnnamed = language === '' && kind === 'fence';
  if (/^py/.test(language) || (isUnnamed && /\bpython\b/i.test(task)))
    return { kind: 'python', text };
  if (kind === 'code' || /^(?:|bash|sh|shell|console|terminal|zsh)$/.test(language))
    return { kind: 'command', text: text.replace(/^\$ /, '') };
  return fail('NOT_SUPPORTED', `Code in "${language}" cannot be run. Use bash or Python.`);
}

/** Extensions of scripts, and the programs that run them. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/\.py$/i, 'python3'],
  [/\.(?:sh|bash)$/i, 'bash'],
  [/\.[mc]?js$/i, 'node'],
];

function scripting(step: Step): Promise<Outcome> {
  const path = step.text('script');
  const program = programs.find(([ending]) => ending.test(path))?.[1];
  if (program === undefined || /["']/.test(path))
    fail('NOT_SUPPORTED', `It is not clear how ${path} is run: give a command in back-ticks.`);
  return runAll(step, [{ kind: 'command', text: `${program} "${path}"` }]);
}

async function runAll(step: Step, codes: readonly Code[]): Promise<Outcome> {
  if (step.bans.length > 0)
    fail('NOT_UNDERSTOOD', "A command can't be kept from changing files. Remove that.");
  const options = { cwd: step.text('folder') || undefined, mayWrite: step.has('writing') };
  const ends: Ended[] = [];
  for (const code of codes) {
    step.progress(`running ${nameOf(code)}`);
    ends.push(await runCode(step, code, options));
  }
  const commands = ends.map(({ exit_code, stdout, stderr, truncated }, at) => ({
    ...{ command: codes[at]?.text, exit_code, stdout, stderr, truncated },
  }));
  const stdout = ends.map((end) => end.stdout).join('');
  const text = codes.map((code, at) => report(code, ends[at])).join('\n\n');
  return { text, data: { commands, stdout, exit_code: 0 } };
}

function report(code: Code, end: Ended | undefined): string {
  if (end === undefined || end.note !== undefined) return `${nameOf(code)}: ${end?.note}`;
  const { hint, stdout, stderr, truncated, stdout_bytes, stderr_bytes } = end;
  const cut = truncated
    ? ` Its output was cut (${stdout_bytes} bytes of output, ${stderr_bytes} of errors in all).`
    : '';
  const printed = `${block('\n\n', stdout)}${block('\n\nOn stderr:\n', stderr)}`;
  return `${nameOf(code)} ended with exit code 0.${cut}${printed || ' It printed nothing.'}${hintForPeople(hint, '\n\n')}`;
}

const block = (lead: string, output: string) =>
  output.trim() === '' ? '' : `${lead}${fenced(output.replace(/\n+$/, ''))}`;
