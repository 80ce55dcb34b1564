import { usage } from '../../../contract/usage.ts';
import { vendorNames } from '../../../contract/vendors.ts';
import type { CommandDefinition } from '../../command.ts';
import { standard } from '../../options/standard-options.ts';
import { type CommandContext, inCapstan } from '../../with-capstan.ts';

export const command: CommandDefinition = {
  name: 'setup',
  summary: 'Choose a model and store its key',
  options: {
    '--provider <name>': `${vendorNames.join(', ')}, server (OpenAI-compatible) or none`,
    '--key-stdin': 'read the key from stdin',
    '--base-url <url>': 'the address of the server',
    ...standard.model,
    '--fast <name>': 'the model for small steps',
    '--balanced <name>': 'the model for most steps',
    '--best <name>': 'the model for hard steps',
    '--no-check': 'write without asking the provider',
    ...standard.yes,
    ...standard.json,
  },
  examples: [
    'capstan setup',
    'capstan setup --provider anthropic --key-stdin --yes < key.txt',
    'capstan setup --provider server --base-url http://127.0.0.1:8000/v1 --yes',
  ],
  run(args, io) {
    const isInteractive = args.options['provider'] === undefined;
    const work = async (context: CommandContext) => {
      if (!isInteractive)
        return (await import('../../setup/setup-from-options.ts')).setupFromOptions(context);
      assertInteractive(context);
      const { setupAtTerminal } = await import('../../setup/setup-at-terminal.ts');
      return setupAtTerminal(context.capstan, io);
    };
    // Calling this command agrees to the cost of the check.
    return inCapstan(args, io, work, () => true);
  },
};

/** Every option except `--provider` needs it. */
function assertInteractive({ args, io }: CommandContext): void {
  const { check, ...others } = args.options;
  const isAlone = check !== false && Object.keys(others).length === 0;
  if (isAlone && io.isTerminal) return;
  const why = isAlone ? 'There is no terminal for questions.' : 'These options need a provider.';
  throw usage(`${why} Name one with \`--provider\`, and pipe its key in with \`--key-stdin\`.`);
}
