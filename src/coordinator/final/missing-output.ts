import { realpathSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { wordsAsPaths } from '../../broker/changes/workspace/named-files.ts';
import type { AttemptScope, AttemptTally } from '../../broker/intent/scope.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Operation } from '../../contract/permissions/operation.ts';
import type { ToolCallResult } from '../../contract/wire/coordinator-messages.ts';
import { isInside } from '../../platform/files/inside.ts';
import { tryOr } from '../../platform/try-or.ts';
import { findWrittenFiles, type WrittenFile } from '../../registry/files/written-files.ts';
import { operationIn } from '../../tools/define/tool.ts';
import type { AttemptPlan } from '../attempt/attempt-basis.ts';
import type { RunContext } from '../context/run-context.ts';
import type { Step } from '../plan/plan.ts';

/** Paths that a capsule names in its result, relative to the workspace. */
export interface NamedFiles {
  readonly artifacts: readonly string[];
  /** Files that it read and that are already correct. */
  readonly unchanged: readonly string[];
}

const MAX_NAMED = 10;

const ADVICE = ' (if it is already correct, read it and name it in `unchanged`)';

/**
 * A sentence that names the files which the step must write or the capsule claims to have written, and which this run did
 * not write. Undefined if there are none.
 *
 * @param advice Added to each file that was not written. Default: none, for a person.
 */
export async function missingOutput(
  run: RunContext,
  step: Step,
  { artifacts, unchanged }: NamedFiles,
  advice = '',
): Promise<string | undefined> {
  const required = requiredOutputs(run, step);
  const claimed = [...artifacts, ...unchanged].map((name) => ({ name, mayExist: false }));
  const confirmed = new Set(unchanged.map((name) => resolve(run.record.workspace, name)));
  const problems = new Map<string, string>();
  for (const { name, mayExist } of [...required, ...claimed]) {
    const path = resolve(run.record.workspace, name);
    const isConfirmed = confirmed.has(path);
    const problem = await problemOf(run, path, { mayExist, isConfirmed, advice });
    if (problem !== undefined && !problems.has(path)) problems.set(path, `${name} ${problem}`);
    if (problems.size === MAX_NAMED) break;
  }
  if (problems.size === 0) return undefined;
  return `These files are missing from the result: ${[...problems.values()].join('; ')}.`;
}

interface Expected {
  readonly mayExist: boolean;
  readonly isConfirmed: boolean;
  readonly advice: string;
}

async function problemOf(
  run: RunContext,
  path: string,
  { mayExist, isConfirmed, advice }: Expected,
): Promise<string | undefined> {
  const file = await findFile(run, path);
  if (file === undefined) return 'does not exist in the workspace';
  if (file.isNew || mayExist) return undefined;
  if (!isConfirmed) return `was not written in this run${advice}`;
  return wasRead(run, file.path)
    ? undefined
    : 'is named in `unchanged`, but was not read in this run';
}

/**
 * The file with its symbolic links resolved. It is new if it was written in this run: noted by a tool, or modified since the
 * start according to its time of change.
 */
async function findFile({ parts, record }: RunContext, named: string) {
  try {
    const path = await realpath(named);
    if (!isInside(record.workspace, path)) return undefined;
    const found = await stat(path);
    if (!found.isFile()) return undefined;
    const isNew =
      found.ctimeMs >= Date.parse(record.createdAt) ||
      parts.files.writtenBy(record.id).some((file) => file.path === path);
    return { path, isNew };
  } catch {
    return undefined;
  }
}

/**
 * Files that a step must write: those that the plan names, or, if the plan names none in any step, those that the step's
 * text says to write.
 */
export function requiredOutputs({ parts, record }: RunContext, step: Step): readonly WrittenFile[] {
  if (step.writes.length > 0) return step.writes.map((name) => ({ name, mayExist: false }));
  const inText = findWrittenFiles(step.description);
  if (inText.length === 0) return [];
  const isNamed = parts.subtasks.of(record.id).some(({ writes }) => writes.length > 0);
  return isNamed ? [] : inText;
}

/** The answer to the tool `final` of a step: the files missing from the result that a capsule is about to return. */
export const checkFinal =
  (
    run: RunContext,
    plan: ChangingPlan,
    tally: ChangeTally,
  ): NonNullable<AttemptScope['checkFinal']> =>
  async (named) => ({
    missing: (await missingOutput(run, plan.step, named, ADVICE)) ?? null,
    ...(isIdle(plan, tally, named) && { idle: IDLE }),
  });

const IDLE =
  'this step is to change something, and nothing was changed. Make the change, or call "final" with status "error"; if nothing has to change, call "final" again and say why.';

type ChangingPlan = Pick<AttemptPlan, 'step' | 'appliedEffects'>;
type ChangeTally = Pick<AttemptTally, 'effects' | 'denial'>;

/** A program that is executed may only read. */
const CHANGES: ReadonlySet<Step['needs'][number]> = new Set(['write', 'delete', 'database_write']);

/** Whether a step that must change something changed nothing, was refused nothing, and names no file that is already correct. */
export const isIdle = (
  { step, appliedEffects = [] }: ChangingPlan,
  { effects, denial }: ChangeTally,
  { unchanged }: Pick<NamedFiles, 'unchanged'>,
): boolean =>
  step.needs.some((need) => CHANGES.has(need)) &&
  effects + appliedEffects.length + unchanged.length === 0 &&
  denial === undefined;

/** Operations of tools that read the content of the files that they name. */
const readers = /^(file_io\.(read|search)|sql_query\.\w+)$/;

/** Programs that never read the content of the files in their arguments. */
const nonReaders: ReadonlySet<string> = new Set(
  'echo printf true false : ls stat test [ touch rm mkdir chmod cd'.split(' '),
);

/**
 * Whether this run read a file: a tool noted or named it, or a command that exited with 0 names it.
 *
 * @param path Absolute, symbolic links resolved.
 */
export function wasRead({ parts, record }: RunContext, path: string): boolean {
  const known = parts.files.knownTo(record.id, path);
  if (known !== undefined && known !== 'absent') return true;
  const { workspace } = record;
  const isThisFile = (name: string) =>
    tryOr(() => realpathSync(resolve(workspace, name)), undefined) === path;
  const reads = parts.journal.intentsOf(record.id, (intent) => {
    if (intent.kind !== 'tool' || intent.status !== 'done') return false;
    // A tool may reject the recorded arguments, which are redacted.
    const operation = tryOr(() => operationIn(intent.request, parts.tools), undefined);
    return operation !== undefined && namesRead(operation, intent, isThisFile, workspace);
  });
  return reads.includes(true);
}

function namesRead(
  { name, paths, command }: Operation,
  { outcome }: IntentRecord,
  isThisFile: (name: string) => boolean,
  workspace: string,
): boolean {
  if (command !== undefined) {
    if (exitCodeOf(outcome) !== 0) return false;
    for (const { path, program } of wordsAsPaths(command, workspace)) {
      if (!nonReaders.has(program) && isThisFile(path)) return true;
    }
    return false;
  }
  if (!readers.test(name)) return false;
  return paths.some(({ path, access }) => access === 'read' && isThisFile(path));
}

const exitCodeOf = (outcome: unknown): unknown =>
  ((outcome as Partial<ToolCallResult> | null)?.result as { exit_code?: unknown } | undefined)
    ?.exit_code;
