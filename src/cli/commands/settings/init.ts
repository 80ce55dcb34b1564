import type { CommandDefinition } from '../../command.ts';
import { standard } from '../../options/standard-options.ts';
import { withCapstan } from '../../with-capstan.ts';

export const command: CommandDefinition = {
  name: 'init',
  topic: 'Project',
  brief: 'write a capstan.yaml',
  summary: 'Write a commented capstan.yaml for this project',
  options: [standard.workspace, standard.json],
  examples: ['capstan config init', 'capstan config init --workspace ../shop'],
  run: withCapstan(async ({ capstan, args }) => {
    const { path, isNew, configDir } = await capstan.settings.writeTemplate(args.options);
    return {
      json: { path, written: isNew },
      text: isNew
        ? `Wrote ${path}, and trusted it. After you change it: \`capstan config trust\`.\n` +
          `Your own settings and keys belong in ${configDir}/config.yaml and .env.\n`
        : `${path} exists; it was not changed.\n`,
    };
  }),
};
