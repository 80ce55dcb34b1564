import type { Capstan } from '../app/open-capstan.ts';
import type { Presence } from '../app/open-options.ts';
import type { CommandArguments, CommandIo } from './command.ts';

/** What a command works with. */
export interface CommandContext {
  readonly capstan: Capstan;
  readonly args: CommandArguments;
  readonly io: CommandIo;
}

/**
 * The `run` of a command: opens Capstan for it, and closes it when the command ends.
 *
 * @param presence Whether this terminal can answer questions of a run. Default: it can't.
 */
export const withCapstan =
  (body: (context: CommandContext) => number | Promise<number>, presence?: Presence) =>
  async (args: CommandArguments, io: CommandIo): Promise<number> => {
    const { openCapstan } = await import('../app/open-capstan.ts');
    const capstan = await openCapstan({ env: io.environment, cwd: io.cwd, presence });
    try {
      return await body({ capstan, args, io });
    } finally {
      await capstan.close();
    }
  };
