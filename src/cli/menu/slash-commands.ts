import type { SlashCommand } from './slash-command.ts';

/** Every command of the conversation, in the order in which `/` lists them. */
export const slashCommands: readonly SlashCommand[] = [
  {
    name: 'clear',
    summary: 'begin a new session',
    run: ({ conversation }) => conversation.clear(),
  },
  { name: 'help', summary: 'list the commands and keys', run: (context) => printHelp(context) },
  { name: 'quit', summary: 'leave Capstan', run: ({ quit }) => quit() },
];

function printHelp({ print, frame }: Parameters<SlashCommand['run']>[0]): void {
  const { style } = frame();
  const rows = slashCommands.map(({ name, arguments: words = '', summary }) => {
    const call = `/${name} ${words}`.trim();
    return `  ${style.bold(call.padEnd(20))} ${summary}`;
  });
  print(rows.join('\n'));
}
