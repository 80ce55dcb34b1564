import type { Located, SettingProblem } from '../../contract/error-details.ts';
import { printable } from '../../contract/text/printable.ts';
import type { Raw } from '../kinds.ts';
import { showValue } from '../mask.ts';
import { type SettingName, settingOf } from '../setting-table.ts';
import type { Layer } from '../settings.ts';

/** A value that somebody wrote somewhere, as it was written. */
export interface Given {
  readonly name: SettingName;
  readonly raw: Raw;
  readonly layer: Layer;
  /** The name as it was written: the option `budgetUsd`, `CAPSTAN_BUDGET_RUN_USD`, `budget.run_usd`. */
  readonly spelled: string;
  /** `/…/config.yaml:3`; undefined for flags and the environment. */
  readonly file: string | undefined;
  /** What a relative path is relative to. */
  readonly folder: string;
}

/** All that is wrong in one place, as sentences. The place is named by the caller. */
export type Problem = SettingProblem;

/** A problem with its parts: the place alone, what is wrong, and what to do. */
export interface LocatedProblem extends Problem {
  readonly found: Located;
}

/** @param file With its line, where that is known. */
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

/** `it is not UTF-8. Save it as UTF-8.`, cut in two. */
export function sentencesOf(text: string): Pick<Located, 'problem' | 'fix'> {
  const [, problem = text.replace(/\.$/, ''), fix = 'Correct it.'] =
    /^(.*?)\. (.*)$/s.exec(text) ?? [];
  return { problem, fix };
}

/** What one source holds. */
export interface Source {
  readonly givens: readonly Given[];
  readonly problems: readonly Problem[];
  readonly notices: readonly string[];
}

export const emptySource: Source = { givens: [], problems: [], notices: [] };

/** `CAPSTAN_CONCURRENCY = "many" (environment)`, the value masked where it is a secret. */
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

/** Where a value in force comes from: the option `budgetUsd`, `CAPSTAN_BUDGET_RUN_USD`, `/…/config.yaml:3`. */
export const sourceOf = ({ file, spelled }: Given): string => file ?? spelled;

/** One line for each problem, indented. What one value does to several settings (`model`) is told once. */
export function listProblems(problems: readonly Problem[]): string {
  const lines = problems.map(({ where, problem }) => `  ${printable(where, 1_000)}: ${problem}`);
  return [...new Set(lines)].join('\n');
}
