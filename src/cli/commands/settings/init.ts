import type { CommandDefinition } from '../../command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { printJson } from '../../io/print-json.ts';
import { standard } from '../../options/standard-options.ts';
import { type CommandContext, withCapstan } from '../../with-capstan.ts';

export const command: CommandDefinition = {
  name: 'init',
  topic: 'Project',
  brief: 'write a capstan.yaml',
  summary: 'Write a commented capstan.yaml for this project',
  options: [standard.workspace, standard.json],
  examples: ['capstan config init', 'capstan config init --workspace ../shop'],
  run: withCapstan(initProject),
};

async function initProject({ capstan, args, io }: CommandContext): Promise<number> {
  const { path, isNew, configDir } = await capstan.settings.writeTemplate(args.options);
  if (args.options['json'] === true) printJson(io, { path, written: isNew });
  else if (!isNew) io.stdout(`${path} exists; it was not changed.\n`);
  else {
    io.stdout(
      `Wrote ${path}, and trusted it. After you change it: \`capstan config trust\`.\n` +
        `Your own settings and keys belong in ${configDir}/config.yaml and .env.\n`,
    );
  }
  return exitCodes.completed;
}
