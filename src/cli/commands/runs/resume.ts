import type { CommandDefinition } from '../../command.ts';
import { isolationFlags, standard } from '../../options/standard-options.ts';
import { resumeAtTerminal } from '../../run/open-at-terminal.ts';
import { showOptions } from '../../run/show-options.ts';

export const command: CommandDefinition = {
  name: 'resume',
  summary: 'Continue a parked or failed run',
  arguments: '[run]',
  options: {
    ...isolationFlags,
    ...standard.model,
    ...standard.budget,
    ...standard.timeout,
    ...showOptions,
  },
  examples: [
    'capstan resume',
    'capstan resume 9c41d07e --json',
    'capstan resume 9c41d07e --budget-usd 5 --timeout 600',
    'capstan resume 9c41d07e --junit report.xml',
  ],
  run: (args, io) => resumeAtTerminal(args.positionals[0], args, io),
};
