import { dirname } from 'node:path';
import type { Document, Node, Pair, YAMLMap } from 'yaml';
import { closest } from '../../contract/text/closest.ts';
import { printable } from '../../contract/text/printable.ts';
import type { Raw } from '../kinds.ts';
import type { Given, Problem, Source } from '../read/given.ts';
import { type SettingName, settingNames, settingOf } from '../setting-table.ts';

interface Walk {
  readonly path: string;
  readonly layer: 'project' | 'person';
  readonly document: Document.Parsed;
  readonly yaml: typeof import('yaml');
  lineOf(node: unknown): number;
  readonly givens: Given[];
  readonly problems: Problem[];
}

/** Settings in a YAML file, each with the line it stands in. The parser is loaded here, so only where a file exists. */
export async function readYaml(
  path: string,
  text: string,
  layer: 'project' | 'person',
): Promise<Source> {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  const lineOf = (node: unknown) =>
    yaml.isNode(node) && node.range ? lines.linePos(node.range[0]).line : 1;
  const walk: Walk = { path, layer, document, yaml, lineOf, givens: [], problems: [] };
  for (const error of [...document.errors, ...document.warnings].slice(0, 5)) {
    const { line } = lines.linePos(error.pos[0]);
    walk.problems.push({
      where: `${path}:${line}`,
      problem: `this is not valid YAML: ${printable(error.message)}. Correct the line.`,
    });
  }
  const top = document.contents;
  if (walk.problems.length === 0 && top !== null) {
    if (yaml.isMap(top)) readMap(walk, top, '');
    else if (!isNothing(walk, top))
      walk.problems.push({ where: path, problem: 'it must hold names and values, `name: value`.' });
  }
  return { givens: walk.givens, problems: walk.problems, notices: [] };
}

function readMap(walk: Walk, map: YAMLMap, prefix: string): void {
  for (const pair of map.items) {
    const { scalar, line } = keyOf(walk, pair);
    const path = `${prefix}${scalar}`;
    const name = scalar.includes('.') ? undefined : nameByPath.get(path);
    const value = follow(walk, pair.value);
    if (name) readSetting(walk, { name, path, line, value });
    else if (!groups.has(path) || scalar.includes('.')) tellUnknown(walk, path, line);
    else if (walk.yaml.isMap(value)) readMap(walk, value, `${path}.`);
    else if (!isNothing(walk, value))
      walk.problems.push({
        where: `${path} (${walk.path}:${line})`,
        problem: `it is a group. Write its settings below it, such as ${path}.${groups.get(path)}.`,
      });
  }
}

interface Entry {
  readonly name: SettingName;
  readonly path: string;
  readonly line: number;
  readonly value: unknown;
}

function readSetting(walk: Walk, { name, path, line, value }: Entry): void {
  if (isNothing(walk, value)) return;
  const raw = rawOf(walk, value);
  const file = `${walk.path}:${line}`;
  const takesList = settingOf(name).kind.separator !== undefined;
  if (raw === undefined || (typeof raw !== 'string' && !takesList)) {
    const wanted = takesList ? 'one value or a list of values' : 'one value';
    walk.problems.push({ where: `${path} (${file})`, problem: `it must be ${wanted}.` });
    return;
  }
  const { layer } = walk;
  walk.givens.push({ name, raw, layer, spelled: path, file, folder: dirname(walk.path) });
}

function tellUnknown(walk: Walk, path: string, line: number): void {
  const meant = closest(path, nameByPath.keys()) ?? closestByEnd(path);
  const hint = nameByPath.has(path)
    ? 'Write the word before the dot as a group, and the other below it.'
    : meant
      ? `Did you mean ${meant}?`
      : 'Remove it, or see docs/settings.md.';
  walk.problems.push({
    where: `${printable(path)} (${walk.path}:${line})`,
    problem: `unknown setting. ${hint}`,
  });
}

/** `run_usd` or `CAPSTAN_BUDGET_RUN_USD` for `budget.run_usd`. */
function closestByEnd(path: string): string | undefined {
  const named = settingNames.find((name) => name === path);
  if (named) return settingOf(named).yaml;
  return [...nameByPath.keys()].find((known) => known.endsWith(`.${path}`));
}

function keyOf(walk: Walk, pair: Pair): { scalar: string; line: number } {
  const key = pair.key;
  const scalar = walk.yaml.isScalar(key) ? String(key.value) : '(a key that is no word)';
  return { scalar, line: walk.lineOf(key) };
}

/** What an alias stands for; one that stands for nothing is a problem. */
function follow(walk: Walk, value: unknown): unknown {
  if (!walk.yaml.isAlias(value)) return value;
  const node = value.resolve(walk.document);
  if (!node)
    walk.problems.push({
      where: `${walk.path}:${walk.lineOf(value)}`,
      problem: `nothing is named &${printable(value.source)}. Write the value itself, in quotes where it begins with *.`,
    });
  return node;
}

function rawOf(walk: Walk, value: unknown): Raw | undefined {
  const { isScalar, isSeq } = walk.yaml;
  if (isScalar(value)) return scalarText(value);
  if (!isSeq(value)) return undefined;
  const items = value.items.map((item) => {
    const node = follow(walk, item);
    return isScalar(node) && !isNothing(walk, node) ? scalarText(node) : undefined;
  });
  return items.some((item) => item === undefined) ? undefined : (items as string[]);
}

/** Numbers as they were written: `1.50`, not `1.5`. */
const scalarText = (scalar: Node & { value: unknown; source?: string }): string =>
  typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? String(scalar.value));

const isNothing = (walk: Walk, value: unknown): boolean =>
  value === null || value === undefined || (walk.yaml.isScalar(value) && value.value === null);

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
