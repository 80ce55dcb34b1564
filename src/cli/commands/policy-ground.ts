import type { PolicyAround } from '../../broker/rules/load-policy.ts';
import { installFolder } from '../../config/install-folder.ts';
import { loadSettings } from '../../config/load-settings.ts';
import type { LoadedSettings } from '../../config/settings.ts';
import type { CommandArguments, CommandIo } from '../command.ts';

export interface PolicyGround {
  readonly loaded: LoadedSettings;
  /** For `readPolicy` and `loadPolicy`. */
  readonly around: PolicyAround;
}

/** Settings and rules files as a run here would find them. Notices are told. */
export async function policyGround(
  { options }: CommandArguments,
  io: CommandIo,
): Promise<PolicyGround> {
  const { environment, cwd } = io;
  const loaded = await loadSettings({
    flags: options,
    environment,
    cwd,
    installFolder: installFolder(),
  });
  const { toolbox } = await import('../../tools/toolbox.ts');
  for (const notice of loaded.notices) io.stderr(`note: ${notice}\n`);
  const file = options['policy'];
  return {
    loaded,
    around: {
      settings: loaded.settings,
      project: loaded.project,
      ...(typeof file === 'string' ? { policyFile: file } : {}),
      cwd,
      environment,
      tools: toolbox,
    },
  };
}
