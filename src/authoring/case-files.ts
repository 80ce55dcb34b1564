import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { type LocatedProblem, listProblems, locatedProblem, sentencesOf } from '../config/given.ts';
import { parseStrictYaml } from '../config/strict-yaml.ts';
import { readTextFile } from '../config/text-file.ts';
import { AppError, messageOf } from '../contract/errors.ts';
import { ApiCallDecision, ToolCallResult } from '../contract/protocol.ts';
import { CapsuleCase } from './capsule-case.ts';
import type { Inputs } from './lay-inputs.ts';
import type { ToldAnswer } from './told-before.ts';

/** A case with what belongs to it. */
export interface FoundCase {
  /** The name of its file without `.yaml`. */
  readonly name: string;
  readonly path: string;
  readonly wanted: CapsuleCase;
  readonly inputs: Inputs;
  /** Undefined: none were recorded. */
  readonly record: CaseRecord | undefined;
}

const Told = z.union([ToolCallResult.omit({ id: true }), ApiCallDecision.omit({ id: true })]);

/** What a capsule's model and the web answered in a case, to be told again without either. */
export const CaseRecord = z.object({
  format: z.literal('capstan-case-record'),
  version: z.literal(1),
  capsule: z.string(),
  /** SHA-256 of the overlay that it was recorded with. */
  overlay: z.string(),
  /** Models that answered. */
  models: z.array(z.string()),
  recorded: z.string(),
  answers: z.array(
    z.object({
      kind: z.enum(['tool', 'chat', 'http']),
      name: z.string(),
      tier: z.int(),
      asked: z.string(),
      talk: z.string().nullable(),
      reply: Told,
      costMicroUsd: z.number().nonnegative(),
      question: z.string().nullable(),
    }),
  ),
});
export type CaseRecord = z.infer<typeof CaseRecord>;

export const answersOf = (record: CaseRecord | undefined): readonly ToldAnswer[] =>
  record?.answers ?? [];

const MAX_CASES = 200;
const MAX_RECORD_BYTES = 16 * 1024 * 1024;
const MAX_INPUT_BYTES = 16 * 1024 * 1024;

/** Every name that a case may hold, for did-you-mean. */
const fields = [
  ...Object.keys(CapsuleCase.shape),
  ...Object.keys(CapsuleCase.shape.expect.shape),
  ...['equals', 'contains', 'excludes', 'absent', 'path', 'tool', 'operation', 'args', 'times'],
];

/**
 * The cases in some folders, by name; the first folder that has a name keeps it. A record lies beside its case, or in any
 * earlier folder.
 *
 * @throws AppError `CASE_INVALID`, naming file, line and field of every problem.
 */
export async function readCases(
  folders: readonly string[],
  only?: string | undefined,
): Promise<readonly FoundCase[]> {
  const cases = new Map<string, FoundCase>();
  const problems: LocatedProblem[] = [];
  for (const { name, path, folder } of folders.flatMap(caseFiles)) {
    if (cases.has(name) || (only !== undefined && name !== only)) continue;
    const record = folders.map((one) => recordPath(one, name)).find(existsSync);
    const found = await readCase({ name, path, folder, record });
    if ('problems' in found) problems.push(...found.problems);
    else cases.set(name, found);
  }
  if (problems.length > 0) {
    const found = problems.map((one) => one.found);
    throw new AppError('CASE_INVALID', { issues: listProblems(problems), found });
  }
  return [...cases.values()];
}

/** The names of the cases in some folders, whether they can be read or not. */
export const caseNames = (folders: readonly string[]): readonly string[] => [
  ...new Set(folders.flatMap(caseFiles).map(({ name }) => name)),
];

export const recordPath = (folder: string, name: string): string =>
  join(folder, `${name}.record.json`);

interface CaseFile {
  readonly name: string;
  readonly path: string;
  readonly folder: string;
  readonly record?: string | undefined;
}

function caseFiles(folder: string): CaseFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[^.].*\.ya?ml$/.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .slice(0, MAX_CASES)
    .map((file) => ({ name: file.replace(/\.ya?ml$/, ''), path: join(folder, file), folder }));
}

async function readCase(
  file: CaseFile,
): Promise<FoundCase | { problems: readonly LocatedProblem[] }> {
  const { name, path } = file;
  const read = readTextFile(path);
  if (!read || 'problem' in read) return failing(path, read?.problem ?? 'it is gone. Try again.');
  if (!isCaseName(name)) return failing(path, BAD_NAME);
  const form = { schema: CapsuleCase, fields, page: 'docs/authors.md' };
  const parsed = await parseStrictYaml(path, read.text, form);
  if ('problems' in parsed) return parsed;
  try {
    const inputs = inputsOf(parsed.value, file.folder);
    return { name, path, wanted: parsed.value, inputs, record: readRecord(file.record) };
  } catch (error) {
    return failing(path, messageOf(error));
  }
}

const isCaseName = (name: string): boolean => /^[\w-]+$/.test(name);
const BAD_NAME =
  'the name of a case has only letters, digits, hyphens and underscores. Rename the file.';

function failing(path: string, text: string): { problems: readonly LocatedProblem[] } {
  const { problem, fix } = sentencesOf(text);
  return { problems: [locatedProblem(path, problem, { fix })] };
}

function inputsOf({ inputs }: CapsuleCase, folder: string): Inputs {
  const paths = Object.keys(inputs);
  const clash = paths.find((path) => paths.some((other) => other.startsWith(`${path}/`)));
  if (clash !== undefined)
    throw new Error(`inputs: "${clash}" can't be a file and a folder. Rename one of them.`);
  const files = Object.entries(inputs).map(
    ([path, input]) =>
      [
        path,
        typeof input === 'string' ? Buffer.from(input) : readInput(folder, input.from),
      ] as const,
  );
  return { files: new Map(files) };
}

/** A link is followed, and must not lead out of the folder. */
function readInput(folder: string, from: string): Buffer {
  const fail = (problem: string) =>
    new Error(`inputs: "${from}" ${problem}. Name a file below ${folder}.`);
  const root = realpathSync(folder);
  const path = join(root, from);
  if (!existsSync(path)) throw fail('is not there');
  const real = realpathSync(path);
  if (!real.startsWith(`${root}/`)) throw fail('leads out of the folder of the cases');
  const facts = statSync(real);
  if (!facts.isFile()) throw fail('is no file');
  if (facts.size > MAX_INPUT_BYTES) throw fail(`has more than ${MAX_INPUT_BYTES} bytes`);
  return readFileSync(real);
}

function readRecord(path: string | undefined): CaseRecord | undefined {
  if (path === undefined) return undefined;
  const again = 'Delete it, or record it again with --record';
  const read = readTextFile(path, MAX_RECORD_BYTES);
  if (!read || 'problem' in read)
    throw new Error(`${basename(path)}: ${read?.problem ?? 'it is gone.'}`);
  let json: unknown;
  try {
    json = JSON.parse(read.text);
  } catch {
    throw new Error(`${basename(path)} is no JSON. ${again}.`);
  }
  const parsed = CaseRecord.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new Error(`${basename(path)} is no record of a case. ${again}.`);
}
