import type { CommandDefinition } from '../../command.ts';
import { isolationFlags } from '../../options/isolation-flags.ts';
import { resumeAtTerminal } from '../../run/resume-at-terminal.ts';

export const command: CommandDefinition = {
  name: 'resume',
  summary: 'Continue a parked or failed run from where it left off',
  arguments: '[run]',
  options: [
    ...isolationFlags,
    { flags: '--model <name>', description: 'use this model of the provider from now on' },
    { flags: '--budget-usd <amount>', description: 'new spending limit for the whole run' },
    { flags: '--timeout <seconds>', description: 'new time limit, counted from now' },
    { flags: '--json', description: 'print one JSON document instead of the answer' },
    { flags: '-q, --quiet', description: 'no progress on stderr; warnings are still printed' },
  ],
  examples: [
    'capstan resume',
    'capstan resume 9c41d07e --json',
    'capstan resume 9c41d07e --budget-usd 5 --timeout 600',
  ],
  run: (args, io) => resumeAtTerminal(args.positionals[0], args, io),
};
