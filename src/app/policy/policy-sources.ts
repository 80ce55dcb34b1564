import { toolbox } from '../../tools/toolbox.ts';
import type { AppContext, SettingsOverrides } from '../context/open-context.ts';

/** For which workspace, and by which rules. */
export interface PolicyOptions {
  /** Default: the settings in force in the current folder. */
  readonly overrides?: SettingsOverrides | undefined;
  /** A rules file in place of the user's `policy.yaml`, absolute or relative to `cwd`. */
  readonly policyFile?: string | undefined;
  /** Called with each notice about the settings. */
  readonly onNotice?: ((text: string) => void) | undefined;
}

/** The settings and rules files as a run would find them. */
export async function policySources(
  context: AppContext,
  { overrides = {}, policyFile, onNotice }: PolicyOptions,
) {
  const { environment, cwd } = context;
  const loaded = await context.settings(overrides);
  for (const notice of loaded.notices) onNotice?.(notice);
  const { settings, project } = loaded;
  const sources = { settings, project, cwd, environment, tools: toolbox };
  return { loaded, sources: policyFile === undefined ? sources : { ...sources, policyFile } };
}
