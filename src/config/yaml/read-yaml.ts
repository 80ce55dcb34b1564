import { dirname } from 'node:path';
import type { Document, LineCounter, YAMLMap } from 'yaml';
import { closest } from '../../contract/text/closest.ts';
import { printable } from '../../contract/text/printable.ts';
import type { Raw } from '../kinds.ts';
import { emptySource, type Given, type Problem, type Source } from '../read/given.ts';
import { type SettingName, settingNames, settingOf } from '../setting-table.ts';
import { openYaml } from './strict-yaml.ts';

/** Reads the settings in a YAML file, each with its line. The parser is only loaded if there is a file. */
export async function readYaml(
  path: string,
  text: string,
  layer: 'project' | 'person',
): Promise<Source> {
  // Everything is text, so that numbers stay as written: `1.50`, not `1.5`.
  const { document, lines, broken } = await openYaml(path, text, { schema: 'failsafe' });
  if (broken.length > 0) return { ...emptySource, problems: broken };
  let top: unknown;
  try {
    top = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const problem = `${printable((error as Error).message)}. Write the value itself, in quotes if it begins with *.`;
    return { ...emptySource, problems: [{ where: path, problem }] };
  }
  const walk: Walk = { path, layer, document, lineCounter: lines, givens: [], problems: [] };
  if (isGroup(top)) readGroup(walk, top);
  else if (!isNothing(top))
    walk.problems.push({
      where: path,
      problem: 'it must contain names and values, `name: value`.',
    });
  return { ...emptySource, givens: walk.givens, problems: walk.problems };
}

interface Walk {
  readonly path: string;
  readonly layer: 'project' | 'person';
  readonly document: Document;
  readonly lineCounter: LineCounter;
  readonly givens: Given[];
  readonly problems: Problem[];
}

type Group = Readonly<Record<string, unknown>>;

const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && /^(?:~|null)?$/.test(value));

function readGroup(walk: Walk, values: Group, group: readonly string[] = []): void {
  for (const [key, value] of Object.entries(values)) {
    const place = [...group, key];
    const path = place.join('.');
    const file = `${walk.path}:${lineOf(walk, key, group)}`;
    const isDotted = key.includes('.');
    const name = nameByPath.get(path);
    if (isDotted || (!name && !groups.has(path))) noteUnknown(walk, path, file);
    else if (name) readSetting(walk, { name, path, file, value });
    else if (isGroup(value)) readGroup(walk, value, place);
    else if (!isNothing(value))
      walk.problems.push({
        where: `${path} (${file})`,
        problem: `it is a group. Write its settings below it, such as ${path}.${groups.get(path)}.`,
      });
  }
}

/** The line of a key; 1 if it comes from an alias. */
function lineOf({ document, lineCounter }: Walk, key: string, group: readonly string[]): number {
  const map = document.getIn(group, true);
  const pair = (map as Partial<YAMLMap> | undefined)?.items?.find((one) => `${one.key}` === key);
  const { range } = (pair?.key ?? {}) as { range?: readonly [number, ...number[]] };
  return range ? lineCounter.linePos(range[0]).line : 1;
}

interface Entry {
  readonly name: SettingName;
  readonly path: string;
  readonly file: string;
  readonly value: unknown;
}

function readSetting(walk: Walk, { name, path, file, value }: Entry): void {
  if (isNothing(value)) return;
  const takesList = settingOf(name).kind.separator !== undefined;
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (typeof value !== 'string' && !(isList && takesList && !value.some(isNothing))) {
    const wanted = takesList ? 'one value or a list of values' : 'one value';
    walk.problems.push({ where: `${path} (${file})`, problem: `it must be ${wanted}.` });
    return;
  }
  const { layer } = walk;
  const folder = dirname(walk.path);
  walk.givens.push({ name, raw: value as Raw, layer, spelled: path, file, folder });
}

function noteUnknown(walk: Walk, path: string, file: string): void {
  const meant = closest(path, nameByPath.keys()) ?? closestByEnd(path);
  const hint = nameByPath.has(path)
    ? 'Write the word before the dot as a group, and the other below it.'
    : meant
      ? `Did you mean ${meant}?`
      : 'Remove it, or see docs/settings.md.';
  const where = `${printable(path)} (${file})`;
  walk.problems.push({ where, problem: `unknown setting. ${hint}` });
}

/** `run_usd` or `CAPSTAN_BUDGET_RUN_USD` for `budget.run_usd`. */
function closestByEnd(path: string): string | undefined {
  const named = settingNames.find((name) => name === path);
  if (named) return settingOf(named).yaml;
  return [...nameByPath.keys()].find((known) => known.endsWith(`.${path}`));
}

const nameByPath = new Map<string, SettingName>(
  settingNames.flatMap((name) => {
    const path = settingOf(name).yaml;
    return path === undefined ? [] : [[path, name] as const];
  }),
);

/** Each group with its first setting, for examples. */
const groups = new Map<string, string>(
  [...nameByPath.keys()].reverse().flatMap((path) => {
    const [group, member] = path.split('.');
    return group !== undefined && member !== undefined ? [[group, member] as const] : [];
  }),
);
