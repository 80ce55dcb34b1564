import { closest } from '../../contract/text/closest.ts';
import { hasControlCharacter } from '../../contract/text/printable.ts';
import { itemsOf, type Raw } from '../kinds.ts';
import { showValue } from '../mask.ts';
import { expandPath } from '../places.ts';
import type { Setting } from '../setting.ts';
import { type SettingName, type SettingValues, settingNames, settingOf } from '../setting-table.ts';
import { layers, type Origin } from '../settings.ts';
import { describeGiven, type Given, type Problem, problemOf } from './given.ts';

export interface Resolved {
  readonly values: SettingValues;
  readonly origins: ReadonlyMap<SettingName, Origin>;
  /** The used value of each setting that is set. */
  readonly winners: ReadonlyMap<SettingName, Given>;
  readonly problems: readonly Problem[];
  readonly notices: readonly string[];
}

interface Read {
  readonly given: Given;
  readonly value: unknown;
}

/** Parses every given value, also those that are overridden, and takes the strongest. */
export function resolveSettings(
  givens: readonly Given[],
  home: string,
  configDir: string,
): Resolved {
  const problems: Problem[] = [];
  const notices: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  const origins = new Map<SettingName, Origin>();
  const winners = new Map<SettingName, Given>();

  for (const name of settingNames) {
    const reads: Read[] = [];
    for (const given of byStrength(givens.filter((it) => it.name === name))) {
      const read = readGiven(given, home);
      if ('problem' in read) problems.push(problemOf(given, read.problem));
      else reads.push({ given, value: read.value });
    }
    const { refused, problem, notice } = checkProject(settingOf(name), reads, configDir);
    if (problem) problems.push(problem);
    if (notice) notices.push(notice);
    const winner = reads.find((read) => read !== refused);
    const known = settingOf(name);
    values[name] = winner ? winner.value : known.initial;
    if (winner) winners.set(name, winner.given);
    origins.set(name, originOf(winner?.given, known));
  }
  return { values: values as unknown as SettingValues, origins, winners, problems, notices };
}

/** Strongest first; within a layer in the order of reading. */
const byStrength = (givens: readonly Given[]): Given[] =>
  [...givens].sort((one, other) => layers.indexOf(one.layer) - layers.indexOf(other.layer));

function readGiven(given: Given, home: string): { value: unknown } | { problem: string } {
  const { kind, fallback } = settingOf(given.name);
  const raw = trim(given.raw);
  const mend = `Correct it, or leave it out${fallback ? ` (default: ${fallback})` : ''}.`;
  if ([raw].flat().some(hasControlCharacter))
    return { problem: `it contains a line break or another control character. ${mend}` };
  const value = kind.read(raw);
  if (value === undefined) {
    const { separator, choices = [], expects } = kind;
    const bad = separator && itemsOf(raw, separator).find((one) => kind.read([one]) === undefined);
    const near = typeof raw === 'string' ? closest(raw, choices) : undefined;
    const hint = near ? `Did you mean ${near}?` : mend;
    return { problem: `must be ${expects}${bad ? `; "${bad}" is not one` : ''}. ${hint}` };
  }
  const isOnePath = kind.isPath && typeof value === 'string';
  return { value: isOnePath ? expandPath(value, given.folder, home) : value };
}

const trim = (raw: Raw): Raw =>
  typeof raw === 'string' ? raw.trim() : raw.map((item) => item.trim());

/** A project's value counts only as far as the setting allows, compared with the value without it. */
function checkProject(
  { project, fallback, initial, isSecret }: Setting<unknown>,
  reads: readonly Read[],
  configDir: string,
) {
  const wanted = reads.find(({ given }) => given.layer === 'project');
  if (!wanted || project.may === 'any') return {};
  if (project.may === 'never') {
    const problem = `a project may not set it. Remove it; your own value belongs in ${configDir}/config.yaml.`;
    return { refused: wanted, problem: problemOf(wanted.given, problem) };
  }
  const own = reads.find(({ given }) => given.layer === 'person');
  const current = own ? own.value : initial;
  type Value = NonNullable<unknown>;
  const isStricter = project.isStricter(wanted.value as Value, current as Value | undefined);
  if (wanted.value === current || isStricter) return {};
  const yours = own ? showValue(own.given.raw, isSecret) : (fallback ?? 'no limit');
  const notice = `${describeGiven(wanted.given)} is ignored: a project may only make it stricter (${project.sense}) than yours, ${yours}.`;
  return { refused: wanted, notice };
}

function originOf(given: Given | undefined, { fallback, isSecret }: Setting<unknown>): Origin {
  if (!given) return { layer: 'default', source: 'default', shown: fallback ?? '' };
  const { layer, raw, file, spelled } = given;
  return { layer, source: file ?? spelled, shown: showValue(raw, isSecret) };
}
