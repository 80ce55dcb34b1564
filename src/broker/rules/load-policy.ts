import { type RulesPlaces, readRulesFiles } from '../../config/files/rules-files.ts';
import { type Problem, settingsInvalid } from '../../config/read/given.ts';
import type { Settings } from '../../config/settings.ts';
import { openOptions, unclearNames } from '../../policy/rules/rule-warnings.ts';
import { checkExamples, type Toolbox, unknownTools } from './check-examples.ts';
import { type Policy, policyOf, takeSnapshot } from './policy-snapshot.ts';

interface PolicyInput extends Omit<RulesPlaces, 'places'> {
  readonly settings: Pick<Settings, 'places' | 'gates' | 'approveMode' | 'budget'>;
  readonly tools: Toolbox;
}

/**
 * The rules files in force, with the gates and budgets of the settings, and all problems of the files, except failing
 * examples. An unreadable file denies everything.
 *
 * @throws AppError `SETTINGS_INVALID` if the named file can't be read.
 */
export async function readPolicy(
  input: PolicyInput,
): Promise<{ readonly policy: Policy; readonly problems: readonly Problem[] }> {
  const { settings, tools } = input;
  const sources = readRulesFiles({ ...input, places: settings.places });
  const { policy, problems } = await policyOf(takeSnapshot(sources, settings));
  const notices = sources.flatMap((source) =>
    'problem' in source
      ? [`${source.file}: ${source.problem} Until then, everything is denied.`]
      : [],
  );
  const unknown = unknownTools(policy.texts, tools);
  return { policy: { ...policy, notices }, problems: [...problems, ...unknown] };
}

/**
 * The same for the start of a run: every rule must be valid, and every example must pass, except if there is a function
 * that takes the failing ones.
 *
 * @throws AppError `SETTINGS_INVALID`, with all problems of the rules files.
 */
export async function loadPolicy(
  input: PolicyInput,
  takeFailing?: (problem: Problem) => void,
): Promise<Policy> {
  const { policy, problems } = await readPolicy(input);
  const broken = checkExamples(policy.texts, input.tools).flatMap(({ where, shown, problem }) =>
    problem === undefined ? [] : [{ where, problem: `${shown}: ${problem}` }],
  );
  if (takeFailing) broken.forEach(takeFailing);
  const all = takeFailing ? problems : [...problems, ...broken];
  if (all.length > 0) throw settingsInvalid(all);
  const { notices, texts } = policy;
  return { ...policy, notices: [...notices, ...openOptions(texts), ...unclearNames(texts)] };
}
