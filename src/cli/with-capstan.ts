import type { Capstan } from '../app/open-capstan.ts';
import type { CommandArguments, CommandIo } from './command.ts';

/** What the body of a command gets. */
export interface CommandContext {
  readonly capstan: Capstan;
  readonly args: CommandArguments;
  readonly io: CommandIo;
}

/** The `run` of a command: opens Capstan, and closes it when the command ends. */
export const withCapstan =
  (body: (context: CommandContext) => number | Promise<number>) =>
  async (args: CommandArguments, io: CommandIo): Promise<number> => {
    const { openCapstan } = await import('../app/open-capstan.ts');
    const { environment: env, cwd, isTerminal } = io;
    const capstan = await openCapstan({ env, cwd, presence: () => isTerminal });
    try {
      return await body({ capstan, args, io });
    } finally {
      await capstan.close();
    }
  };
