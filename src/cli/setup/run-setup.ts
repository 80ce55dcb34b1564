import type { Capstan } from '../../app/open-capstan.ts';
import { packageVersion } from '../../app/own-process.ts';
import type { SetupProvider } from '../../app/settings/setup/list-providers.ts';
import { type IsolationLevel, shortReason } from '../../contract/permissions/isolation.ts';
import type { CommandIo } from '../command.ts';
import { folderText, shortFolder } from '../text/short-folder.ts';
import { continueSetup, type Outcome } from './setup-steps.ts';
import { SetupLeft, type SetupSurface } from './setup-surface.ts';
import { failed, plain, providerLines } from './setup-words.ts';

/**
 * Asks for a provider, its key and its models, and writes them once the person agreed to all of it. `left`: the person left.
 *
 * @throws AppError `SETTINGS_INVALID`; `SETTINGS_NOT_WRITTEN`; `PLACE_UNUSABLE`.
 */
export async function runSetup(
  { setup }: Pick<Capstan, 'setup'>,
  surface: SetupSurface,
  { environment, cwd }: Pick<CommandIo, 'environment' | 'cwd'>,
): Promise<Outcome | 'left'> {
  const [providers, { level, reason }] = await Promise.all([setup.providers(), setup.sandbox()]);
  const folder = shortFolder(cwd, environment, 60);
  surface.print([
    plain(`Capstan ${packageVersion()} in ${folder}. It asks before it changes anything of yours.`),
    plain(sandboxSentence[level](shortReason(reason))),
    plain('Which model should it use?'),
    ...providerLines(providers),
  ]);
  try {
    const provider = await askProvider(providers, surface);
    const shownPath = (path: string) => folderText(path, environment['HOME']);
    return await continueSetup({ setup, surface, shownPath, provider, models: {} });
  } catch (error) {
    if (!(error instanceof SetupLeft)) throw error;
    surface.print([plain('Nothing was written.')]);
    return 'left';
  }
}

async function askProvider(providers: readonly SetupProvider[], surface: SetupSurface) {
  for (;;) {
    const text = (await surface.ask({ text: '› ', isHidden: false })).text.trim().toLowerCase();
    const provider = providers.find(
      ({ id, title }, index) =>
        text === String(index + 1) || [id, title.toLowerCase()].includes(text),
    );
    if (provider) return provider;
    const order = text.includes(' ') ? 'Choose a model first, then type the task. ' : '';
    const range = `Type a number from 1 to ${providers.length}`;
    surface.print([failed(`${order}${range}; the last one continues without a model.`)]);
  }
}

/** What the sandbox in force is worth, for a person. */
const sandboxSentence: Readonly<Record<IsolationLevel, (why: string) => string>> = {
  A: () => 'Sandbox on: level A (bubblewrap, tested).',
  B: (why) => `Sandbox limited: level B (${why}). You are asked before every program.`,
  C: () => 'Sandbox too weak for programs: level C. Fix: capstan doctor --fix',
  none: () => 'No sandbox: programs run with your rights. Fix: capstan doctor --fix',
};
