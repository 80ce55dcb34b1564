import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { CurrentRules } from '../../broker/intent/scope.ts';
import { type PolicySnapshot, policyOf, takeSnapshot } from '../../broker/rules/policy-snapshot.ts';
import { PROJECT_RULES, readRulesFiles } from '../../config/files/rules-files.ts';
import { type Problem, settingsInvalid } from '../../config/read/given.ts';
import type { LoadedSettings } from '../../config/settings.ts';
import { tryOr } from '../../platform/try-or.ts';
import type { AppContext } from '../context/open-context.ts';

type Around = Pick<AppContext, 'cwd' | 'environment'>;
type Begun = Pick<PolicySnapshot, 'rules'>;

/**
 * The same for a resumed run: the files are read immediately.
 *
 * @throws AppError `SETTINGS_INVALID` if a file is invalid now.
 */
export async function rulesForResume(around: Around, loaded: LoadedSettings, begun: Begun) {
  const watch = rulesFromNow(around, loaded, begun);
  const problems = await watch.read();
  if (problems.length > 0) throw settingsInvalid(problems);
  return watch;
}

/** Watches the rules files of a run that begins. `begun` counts as read. */
export function rulesFromNow(
  { cwd, environment }: Around,
  { settings, project }: LoadedSettings,
  begun: Begun,
): CurrentRules & { read(): Promise<readonly Problem[]> } {
  const { places } = settings;
  const own = join(places.configDir, 'policy.yaml');
  const named = begun.rules.find(({ origin }) => origin === 'person')?.file ?? own;
  const policyFile = named !== own && existsSync(named) ? named : undefined;
  const files = [policyFile ?? own, join(project.folder, PROJECT_RULES)];
  let seen = stampOf(files);
  let rules: CurrentRules['rules'];
  const read = async () => {
    seen = stampOf(files);
    const found = readRulesFiles({ places, project, policyFile, cwd, environment });
    // A project's file that is no longer trusted is ignored, as at the start of a run.
    const sources = found.filter((source) => source.origin === 'person' || 'text' in source);
    const { policy, problems } = await policyOf(takeSnapshot(sources, settings));
    rules = textsOf(policy.snapshot) === textsOf(begun) ? undefined : policy.rules;
    const unread = sources.flatMap((source) =>
      'problem' in source ? [{ where: source.file, problem: source.problem }] : [],
    );
    return [...unread, ...problems];
  };
  return {
    get rules() {
      return rules;
    },
    read,
    refresh: () => (stampOf(files) === seen ? undefined : read().then(() => undefined)),
  };
}

const textsOf = ({ rules }: Begun): string => JSON.stringify(rules.map(({ text }) => text ?? null));

/** Changes whenever one of the files may have changed. */
const stampOf = (files: readonly string[]): string =>
  files
    .map((file) => {
      const stats = statsOf(file);
      return stats ? `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}` : 'none';
    })
    .join();

/** Undefined if there is no such file, or it can't be looked at. */
const statsOf = (file: string) => tryOr(() => statSync(file, { throwIfNoEntry: false }), undefined);
