import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { closest } from '../../../../contract/text/closest.ts';
import { escapeText } from '../../../../contract/text/escape-text.ts';
import { historyLine } from '../../input/attach-paste.ts';
import { withPaths } from '../../input/completion.ts';
import type { Submitted } from '../../input/input-line.ts';
import { looksLikeCommand } from '../../input/line-key.ts';
import { slashCommands } from '../../slash-commands.ts';
import type { Menu } from '../menu.ts';
import { echo } from './echo.ts';

/** Words that leave the program also without a slash, if nothing else is typed. */
const LEAVES = /^(?:quit|exit)$/;
const COMMAND = /^\/([\w-]*)(?:\s+([\s\S]*))?$/;

function commandOf(line: string): { readonly name: string; readonly words: string } | undefined {
  const [, name, words = ''] = COMMAND.exec(LEAVES.test(line) ? `/${line}` : line) ?? [];
  return name === undefined ? undefined : { name, words };
}

const isName = (name: string): boolean =>
  name === 'exit' || slashCommands.some((command) => command.name === name);

/** Whether a line is a command with its whole name. */
export const isCommand = (line: string): boolean => isName(commandOf(line)?.name ?? '');

/** Performs a line: a command that begins with `/`, `quit` or `exit`, unless it `isTask`, or words to the conversation. */
export async function submitLine(menu: Menu, given: Submitted): Promise<void> {
  const { context, conversation, state } = menu;
  const { files } = state;
  const submitted = { ...given, text: withPaths(given.text, files ?? []) };
  state.files = undefined;
  // A history that can't be written does not stop the line.
  if (!looksLikeCommand(given))
    void context.capstan.typedLines
      .add(context.workspace, historyLine(submitted))
      .catch(() => undefined);
  try {
    const command = submitted.isTask ? undefined : commandOf(submitted.text);
    if (!command && files) await nameMissing(submitted.text, context);
    if (!command && files) nameImages(submitted.text, files, context);
    if (!command) return await conversation.submit(submitted);
    echo(context, submitted.text);
    await runCommand(menu, command.name, command.words);
  } catch (error) {
    context.fail(error);
  }
}

/** Says which `@` names are no files. The line is sent as it was typed. */
async function nameMissing(text: string, { workspace, print }: Menu['context']): Promise<void> {
  for (const [, quoted, word = ''] of text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|(\S+))/g)) {
    const path = quoted ?? word.replace(/[.,;:!?)]+$/, '');
    const name = quoted === undefined ? path : `"${path}"`;
    const isMissing = await access(resolve(workspace, path)).then(
      () => false,
      () => true,
    );
    if (isMissing)
      print(`! There is no file ${escapeText(path)}: @${escapeText(name)} is sent as typed`);
  }
}

const IMAGE = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|avif)$/i;

/** Says which named files no capsule can read. */
function nameImages(text: string, files: readonly string[], { print }: Menu['context']): void {
  const words = new Set(text.split(/\s+/).map((word) => word.replace(/[.,;:!?)]+$/, '')));
  for (const path of files)
    if (IMAGE.test(path) && (words.has(path) || text.includes(`"${path}"`)))
      print(`! Images are not read, only text: ${escapeText(path)}`);
}

async function runCommand({ context, refresh }: Menu, typed: string, words: string): Promise<void> {
  const name = typed === 'exit' ? 'quit' : typed;
  const named = slashCommands.filter((command) => command.name.startsWith(name));
  const exact = named.find((command) => command.name === name);
  const command = exact ?? (named.length === 1 ? named[0] : undefined);
  if (command) {
    await command.run(context, words.trim());
    return refresh();
  }
  const { style, symbols } = context.frame();
  const names =
    named.length > 0 ? named.map((one) => one.name) : slashCommands.map((one) => one.name);
  const meant = closest(name, names);
  const problem =
    named.length > 1
      ? `/${name} is ambiguous: ${names.map((one) => `/${one}`).join(', ')}.`
      : `There is no /${name}.`;
  const hint = meant && named.length === 0 ? `/${meant}` : '/help';
  context.print(`${style.red(symbols.failed)} ${escapeText(problem)}\n  Try: ${hint}`);
}
