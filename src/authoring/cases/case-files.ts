import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type LocatedProblem,
  listProblems,
  locatedProblem,
  sentencesOf,
} from '../../config/read/given.ts';
import { parseStrictYaml } from '../../config/yaml/strict-yaml.ts';
import { readTextFile } from '../../config/yaml/text-file.ts';
import { AppError, messageOf } from '../../contract/errors.ts';
import { usage } from '../../contract/usage.ts';
import { isInside } from '../../platform/files/inside.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { TrialInputs } from '../trials/trial-inputs.ts';
import { CapsuleCase } from './capsule-case.ts';
import { type CaseRecord, readRecord, recordPath } from './case-record.ts';

/** A case with its inputs and its record. */
export interface FoundCase {
  /** The name of its file without `.yaml`. */
  readonly name: string;
  readonly path: string;
  readonly wanted: CapsuleCase;
  readonly inputs: TrialInputs;
  /** Undefined if there is none. */
  readonly record: CaseRecord | undefined;
}

const MAX_CASES = 200;
const MAX_INPUT_BYTES = 16 * 1024 * 1024;

/** All field names of a case, for suggestions. */
const fields = [
  ...Object.keys(CapsuleCase.shape),
  ...Object.keys(CapsuleCase.shape.expect.shape),
  ...['equals', 'contains', 'excludes', 'absent', 'path', 'tool', 'operation', 'args', 'times'],
];

/**
 * The cases in these folders, or only the one named `only`. The first folder with a name wins. A record is beside its case,
 * or in an earlier folder.
 *
 * @throws AppError `CASE_INVALID`, naming file, line and field of every problem.
 */
export async function readCases(
  folders: readonly string[],
  only?: string | undefined,
): Promise<readonly FoundCase[]> {
  const cases = new Map<string, FoundCase>();
  const problems: LocatedProblem[] = [];
  for (const file of folders.flatMap(caseFiles)) {
    const { name } = file;
    if (cases.has(name) || (only !== undefined && name !== only)) continue;
    const record = folders.map((one) => recordPath(one, name)).find(existsSync);
    const found = await readCase(file, record);
    if ('problems' in found) problems.push(...found.problems);
    else cases.set(name, found);
  }
  if (problems.length > 0) {
    const found = problems.map((one) => one.found);
    throw new AppError('CASE_INVALID', { issues: listProblems(problems), found });
  }
  return [...cases.values()];
}

/** The names of the cases in these folders, valid or not. */
export const caseNames = (folders: readonly string[]): readonly string[] => [
  ...new Set(folders.flatMap(caseFiles).map(({ name }) => name)),
];

type CaseFile = ReturnType<typeof caseFiles>[number];

interface Failed {
  readonly problems: readonly LocatedProblem[];
}

function caseFiles(folder: string) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[^.].*\.ya?ml$/.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .slice(0, MAX_CASES)
    .map((file) => ({ name: file.replace(/\.ya?ml$/, ''), path: join(folder, file), folder }));
}

async function readCase(file: CaseFile, record: string | undefined): Promise<FoundCase | Failed> {
  const { name, path } = file;
  const read = readTextFile(path);
  if (!read || 'problem' in read)
    return failing(path, read?.problem ?? 'it no longer exists. Try again.');
  if (!/^[\w-]+$/.test(name)) return failing(path, BAD_NAME);
  const form = { schema: CapsuleCase, fields, page: 'docs/capsules.md' };
  const parsed = await parseStrictYaml(path, read.text, form);
  if ('problems' in parsed) return parsed;
  const wanted = parsed.value;
  try {
    const inputs = inputsOf(wanted, file.folder);
    return { name, path, wanted, inputs, record: record ? readRecord(record) : undefined };
  } catch (error) {
    return failing(path, messageOf(error));
  }
}

const BAD_NAME =
  'the name of a case has only letters, digits, hyphens and underscores. Rename the file.';

function failing(path: string, text: string): Failed {
  const { problem, fix } = sentencesOf(text);
  return { problems: [locatedProblem(path, problem, { fix })] };
}

function inputsOf({ inputs }: CapsuleCase, folder: string): TrialInputs {
  const paths = Object.keys(inputs);
  const clash = paths.find((path) => paths.some((other) => other.startsWith(`${path}/`)));
  if (clash !== undefined)
    throw new Error(`inputs: "${clash}" can't be a file and a folder. Rename one of them.`);
  const contentOf = (input: CapsuleCase['inputs'][string]) =>
    typeof input === 'string' ? Buffer.from(input) : readInput(folder, input.from);
  return { files: new Map(paths.map((path) => [path, contentOf(inputs[path] ?? '')])) };
}

/** Follows links, but not out of the folder. */
function readInput(folder: string, from: string): Buffer {
  const fail = (problem: string) =>
    new Error(`inputs: "${from}" ${problem}. Name a file below ${folder}.`);
  const root = realpathSync(folder);
  const path = join(root, from);
  if (!existsSync(path)) throw fail('does not exist');
  const real = realpathSync(path);
  if (!isInside(root, real)) throw fail('is outside the folder of the cases');
  const facts = statSync(real);
  if (!facts.isFile()) throw fail('is not a file');
  if (facts.size > MAX_INPUT_BYTES) throw fail(`has more than ${MAX_INPUT_BYTES} bytes`);
  return readFileSync(real);
}

/** The folders of a capsule's cases: the user's own, in `agents/` of the data folder, before those that came with it. */
export function caseFolders(personal: string, { id, dir }: Capsule): readonly string[] {
  const own = join(personal, id, 'cases');
  const shipped = join(dir, 'cases');
  return own === shipped ? [shipped] : [own, shipped];
}

/** The folder for cases and records that the user writes. Nothing is written where Capstan is installed. */
export const ownCaseFolder = (personal: string, { id, dir, origin }: Capsule): string =>
  origin === 'shipped' ? join(personal, id, 'cases') : join(dir, 'cases');

/** The error if a capsule has no case, or none of this name. It lists the existing cases, or says where to write one. */
export function caseUnknown(personal: string, capsule: Capsule, name: string | undefined) {
  const known = caseNames(caseFolders(personal, capsule));
  const which = name === undefined ? 'case' : `case "${name}"`;
  const example = join(ownCaseFolder(personal, capsule), `${name ?? 'first'}.yaml`);
  const fix =
    known.length > 0
      ? `It has: ${known.join(', ')}.`
      : `Write one as ${example} (docs/capsules.md).`;
  return usage(`"${capsule.id}" has no ${which}. ${fix}`);
}
