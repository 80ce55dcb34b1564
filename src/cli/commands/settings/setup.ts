import { AppError } from '../../../contract/errors.ts';
import { vendorNames } from '../../../contract/vendors.ts';
import type { CommandArguments, CommandDefinition, CommandIo } from '../../command.ts';
import { standard } from '../../options/standard-options.ts';

export const command: CommandDefinition = {
  name: 'setup',
  topic: 'Set up',
  summary: 'Choose a model and store its key',
  options: [
    {
      flags: '--provider <name>',
      description: `${vendorNames.join(', ')}, server (OpenAI-compatible) or none`,
    },
    { flags: '--key-stdin', description: 'read the key from stdin' },
    { flags: '--base-url <url>', description: 'the address of the server' },
    standard.model,
    { flags: '--fast <name>', description: 'the model for small steps' },
    { flags: '--balanced <name>', description: 'the model for most steps' },
    { flags: '--best <name>', description: 'the model for hard steps' },
    { flags: '--no-check', description: 'write without asking the provider' },
    standard.yes,
    standard.json,
  ],
  examples: [
    'capstan setup',
    'capstan setup --provider anthropic --key-stdin --yes < key.txt',
    'capstan setup --provider server --base-url http://127.0.0.1:8000/v1 --yes',
  ],
  run,
};

async function run({ options }: CommandArguments, io: CommandIo): Promise<number> {
  const isInteractive = options['provider'] === undefined;
  if (isInteractive) assertInteractive(options, io);
  const { openCapstan } = await import('../../../app/open-capstan.ts');
  // Calling this command agrees to the cost of the check.
  const capstan = await openCapstan({ env: io.environment, cwd: io.cwd, presence: () => true });
  try {
    if (isInteractive) {
      const { setupAtTerminal } = await import('../../setup/setup-at-terminal.ts');
      return await setupAtTerminal(capstan, io);
    }
    const { setupFromOptions } = await import('../../setup/setup-from-options.ts');
    return await setupFromOptions(capstan, options, io);
  } finally {
    await capstan.close();
  }
}

/** Every option except `--provider` needs it. */
function assertInteractive(options: CommandArguments['options'], io: CommandIo): void {
  const { check, ...others } = options;
  const isAlone = check !== false && Object.keys(others).length === 0;
  if (isAlone && io.isTerminal) return;
  const why = isAlone ? 'There is no terminal to ask at.' : 'These options need a provider.';
  const problem = `${why} Name one with \`--provider\`, and pipe its key in with \`--key-stdin\`.`;
  throw new AppError('USAGE', { problem });
}
