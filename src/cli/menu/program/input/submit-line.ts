import { closest } from '../../../../contract/text/closest.ts';
import { escapeText } from '../../../../contract/text/escape-text.ts';
import type { Submitted } from '../../input/input-line.ts';
import { slashCommands } from '../../slash-commands.ts';
import type { Menu } from '../menu.ts';
import { echo } from './echo.ts';

/** Performs a line: a command that begins with `/`, or words to the conversation. */
export async function submitLine(menu: Menu, submitted: Submitted): Promise<void> {
  const { context, conversation, state } = menu;
  state.files = undefined;
  // A history that can't be written does not stop the line.
  void context.capstan.typedLines.add(context.workspace, submitted.typed).catch(() => undefined);
  try {
    const command = /^\/([\w-]*)(?:\s+([\s\S]*))?$/.exec(submitted.text);
    if (!command) return await conversation.submit(submitted);
    echo(context, submitted.text);
    await runCommand(menu, command[1] ?? '', command[2] ?? '');
  } catch (error) {
    context.fail(error);
  }
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
