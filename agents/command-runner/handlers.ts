import { runCommands } from '../../offline/commands/run-commands.ts';

export const handlers = { run_commands: runCommands };
