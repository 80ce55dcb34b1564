import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { wordsAsPaths } from '../../broker/changes/workspace/named-files.ts';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Operation } from '../../contract/permissions/operation.ts';
import type { ToolCallResult } from '../../contract/wire/coordinator-messages.ts';
import { tryOr } from '../../platform/try-or.ts';
import { operationIn } from '../../tools/define/tool.ts';
import type { RunContext } from '../context/run-context.ts';

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
