import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { closest } from '../../contract/text/closest.ts';
import { printable } from '../../contract/text/printable.ts';
import type { Environment } from '../places.ts';
import { type SettingName, settingNames, settingOf } from '../setting-table.ts';
import { readTextFile } from '../yaml/text-file.ts';
import { type Given, type Problem, readSource, type Source } from './given.ts';

/** Names with Capstan's prefix that are not settings: variables for capsules and tools. */
const foreign = new Set(['CAPSTAN_SDK', 'CAPSTAN_CALL']);

const known: ReadonlySet<string> = new Set(
  settingNames.flatMap((name) => [name, ...settingOf(name).aliases]),
);

/** Settings among the environment's variables. An empty one counts as not set. */
export function readEnvironment(environment: Environment, cwd: string): Source {
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('CAPSTAN_') && !known.has(name) && !foreign.has(name),
  );
  const problems: Problem[] = [];
  const notices: string[] = [];
  for (const name of unknown) {
    const meant = closest(name, known);
    if (meant) problems.push({ where: `${name} (environment)`, problem: unknownName(meant) });
    else
      notices.push(
        `${printable(name)} in the environment is not a setting of Capstan's; it is ignored.`,
      );
  }
  return {
    givens: pick(environment, { layer: 'environment', file: undefined, folder: cwd }),
    problems,
    notices,
  };
}

/** Settings in the person's `.env`: the same names, and nothing is expanded. */
export const readEnvFile = (path: string): Source =>
  readSource(path, readTextFile(path), (text) => readEnvText(path, text));

function readEnvText(path: string, text: string): Source {
  const variables = parseEnv(text);
  const at = (problem: string) => (line: number) => ({ where: `${path}:${line}`, problem });
  const noVariable = 'this line is neither NAME=value nor a comment. Correct it, or remove it.';
  const openQuote = 'the quote at the start of this value has no end. Close it, or remove it.';
  const lost = [
    ...lostLines(text, variables).map(at(noVariable)),
    ...openQuotes(text, variables).map(at(openQuote)),
  ];
  const odd = oddNames(Object.keys(variables), path);
  const givens = pick(variables, { layer: 'person', file: path, folder: dirname(path) });
  return {
    givens: givens.filter(({ name }) => name !== 'CAPSTAN_HOME'),
    problems: [...lost, ...odd.problems],
    notices: odd.notices,
  };
}

/** A name that is almost a setting is a mistake; any other may belong to another program. */
function oddNames(names: readonly string[], path: string): Pick<Source, 'problems' | 'notices'> {
  const problems: Problem[] = [];
  const notices: string[] = [];
  if (names.includes('CAPSTAN_HOME'))
    problems.push({
      where: `CAPSTAN_HOME (${path})`,
      problem: 'it says where this file is. Set it in the environment.',
    });
  for (const name of names.filter((it) => !known.has(it))) {
    const where = `${printable(name)} (${path})`;
    const meant = closest(name, known);
    if (meant || name.startsWith('CAPSTAN_')) problems.push({ where, problem: unknownName(meant) });
    else notices.push(`${where} is not a setting; only services.yaml may name it.`);
  }
  return { problems, notices };
}

const unknownName = (meant: string | undefined): string =>
  `unknown setting. ${meant ? `Did you mean ${meant}?` : 'Remove it.'}`;

function pick(variables: Environment, from: Pick<Given, 'layer' | 'file' | 'folder'>) {
  return settingNames.flatMap((name) => {
    const spelled = namesOf(name).find((it) => variables[it]?.trim());
    const raw = spelled && variables[spelled];
    return spelled && raw ? [{ ...from, name, raw, spelled }] : [];
  });
}

const namesOf = (name: SettingName): readonly string[] => [name, ...settingOf(name).aliases];

/** Numbers of lines whose value starts with a quote that is never closed: `parseEnv` keeps it in the value. */
function openQuotes(text: string, variables: Environment): number[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, index) => {
    const [, name = '', quote = ''] = /^\s*(?:export\s+)?([^\s=#]+)\s*=\s*(["'`])/.exec(line) ?? [];
    const value = variables[name] ?? '';
    return quote !== '' && value.startsWith(quote) ? [index + 1] : [];
  });
}

/** Numbers of lines with text but without a variable. None if a value has several lines, since they can't be told apart. */
function lostLines(text: string, variables: Environment): number[] {
  if (Object.values(variables).some((value) => value?.includes('\n'))) return [];
  return text
    .split(/\r?\n/)
    .flatMap((line, index) => (/^\s*(#|$)|=/.test(line) ? [] : [index + 1]));
}
