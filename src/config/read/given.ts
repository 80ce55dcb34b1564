import type { Located, SettingProblem } from '../../contract/error-details.ts';
import { AppError } from '../../contract/errors.ts';
import { printable } from '../../contract/text/printable.ts';
import type { Raw } from '../kinds.ts';
import { showValue } from '../mask.ts';
import { type SettingName, settingOf } from '../setting-table.ts';
import type { Layer } from '../settings.ts';
import type { TextFile } from '../yaml/text-file.ts';

/** A value with its source, as written. */
export interface Given {
  readonly name: SettingName;
  readonly raw: Raw;
  readonly layer: Layer;
  /** The name as written: the option `budgetUsd`, `CAPSTAN_BUDGET_RUN_USD`, `budget.run_usd`. */
  readonly spelled: string;
  /** `/…/config.yaml:3`; undefined for flags and the environment. */
  readonly file: string | undefined;
  /** The folder for a relative path. */
  readonly folder: string;
}

/** The problems in one place, as sentences. The caller names the place. */
export type Problem = SettingProblem;

/** A problem in parts: the place, the problem and the fix. */
export interface LocatedProblem extends Problem {
  readonly found: Located;
}

/** @param file With the line, if known. */
export const locatedProblem = (
  file: string,
  problem: string,
  { field = '', fix = '' }: { readonly field?: string; readonly fix?: string } = {},
): LocatedProblem => ({
  where: field === '' ? file : `${file} ${field}`,
  problem: `${problem}.${fix === '' ? '' : ` ${fix}`}`,
  found: {
    where: file,
    problem: field === '' ? problem : `${field}: ${problem}`,
    fix: fix || 'Correct it.',
  },
});

/** Splits `it is not UTF-8. Save it as UTF-8.` into problem and fix. */
export function sentencesOf(text: string): Pick<Located, 'problem' | 'fix'> {
  const [, problem = text.replace(/\.$/, ''), fix = 'Correct it.'] =
    /^(.*?)\. (.*)$/s.exec(text) ?? [];
  return { problem, fix };
}

/** The values of one source. */
export interface Source {
  readonly givens: readonly Given[];
  readonly problems: readonly Problem[];
  readonly notices: readonly string[];
}

export const emptySource: Source = { givens: [], problems: [], notices: [] };

/** The values of a file, if there is one that can be read. */
export function readSource<S extends Source | Promise<Source>>(
  path: string,
  file: TextFile,
  read: (text: string) => S,
): S | Source {
  if (file === undefined) return emptySource;
  if ('text' in file) return read(file.text);
  return { ...emptySource, problems: [{ where: path, problem: file.problem }] };
}

/** `CAPSTAN_CONCURRENCY = "many" (environment)`, with a masked secret. */
export function describeGiven(given: Given): string {
  const { spelled, layer, file } = given;
  return `${spelled} = "${shownValue(given)}" (${file ?? (layer === 'flag' ? 'option' : layer)})`;
}

const shownValue = ({ raw, name }: Given): string => showValue(raw, settingOf(name).isSecret);

/** A problem of a given value. A surface can name an option in its own words. */
export function problemOf(given: Given, problem: string): Problem {
  const { layer, spelled: name } = given;
  const option = layer === 'flag' ? { option: { name, value: shownValue(given) } } : {};
  return { where: describeGiven(given), problem, ...option };
}

/** One indented line for each problem. A value for several settings (`model`) is reported once. */
export function listProblems(problems: readonly Problem[]): string {
  const lines = problems.map(({ where, problem }) => `  ${printable(where, 1_000)}: ${problem}`);
  return [...new Set(lines)].join('\n');
}

/** The failure of settings with these problems. */
export const settingsInvalid = (problems: readonly Problem[]): AppError =>
  new AppError('SETTINGS_INVALID', { issues: listProblems(problems) });
