import { printable } from '../../../contract/text/printable.ts';
import type { CommandDefinition } from '../../command.ts';
import { completionScripts } from '../../completion/completion-scripts.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { usage } from '../../errors/usage.ts';

export const command: CommandDefinition = {
  name: 'completion',
  topic: 'Set up',
  summary: 'Print completion for bash or zsh',
  arguments: '<shell>',
  options: {},
  examples: ['capstan completion bash >> ~/.bashrc', 'capstan completion zsh >> ~/.zshrc'],
  run: async ({ positionals: [shell = ''] }, io) => {
    const script = completionScripts.get(shell);
    if (script === undefined)
      throw usage(`There is no completion for "${printable(shell, 40)}". Write bash or zsh.`);
    io.stdout(script);
    return exitCodes.completed;
  },
};
