import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { IntentRecord } from '../../../contract/intent.ts';
import type { Command } from '../../../contract/permissions/operation.ts';
import type { ToolCallIntent } from '../../../contract/wire/protocol.ts';
import { canonicalHash } from '../../../platform/text/canonical-hash.ts';
import { removers, wordsAsPaths } from '../../changes/workspace/named-files.ts';
import { findScripts, sentenceAbout } from './find-scripts.ts';
import type { ToolCall } from './tool-call.ts';

/** The scripts that a command runs, and what else a person should know of it, as sentences. */
export async function describeCommand(call: ToolCall, isAdopted: boolean, isForced: boolean) {
  const scripts = findScripts(call);
  const further = await consequencesFor(call, isAdopted, isForced);
  return { scripts, consequences: [sentenceAbout(scripts), ...further] };
}

/** What a command may lead to beyond its words, as sentences; none if no person decides, or the question was asked already. */
async function consequencesFor(
  { intent, prepared, facts, context }: ToolCall,
  isAdopted: boolean,
  isForced: boolean,
): Promise<readonly string[]> {
  const { command } = prepared.operation;
  const { id: runId, policy } = context.scope.run;
  const isForPerson = isForced || policy.approveMode === 'ask';
  if (isAdopted || !isForPerson || command?.access !== 'write') return [];
  const { changes, journal } = context.parts;
  const { workspace } = facts;
  const isCovered = !changes || (await changes.coversAll(workspace, runId));
  const wasTried = journal.intentsOf(runId).some((one) => isTryOf(one, intent));
  return [
    ...(wasTried ? [TRIED] : []),
    ...(namesHistory(command, workspace) ? [HISTORY] : []),
    ...(isCovered ? [] : [NOT_COVERED]),
  ];
}

const TRIED = 'It was tried with the workspace read-only before.';

/** Whether an intent that was performed is the same call with read access. */
const isTryOf = ({ status, name, capsuleId, request }: IntentRecord, asked: IntentRecord) =>
  (status === 'done' || status === 'failed') &&
  name === asked.name.replace(/write$/, 'read') &&
  capsuleId === asked.capsuleId &&
  canonicalHash(withoutAccess(request)) === canonicalHash(withoutAccess(asked.request));

function withoutAccess(request: unknown) {
  const { args } = request as ToolCallIntent;
  return { ...args, access: undefined };
}

const NOT_COVERED =
  'The folder has more or larger files than can still be kept for an undo, so not every change could be undone.';
const HISTORY = 'It may remove or replace the history of a Git repository (.git).';

const namesHistory = (command: Command, workspace: string): boolean =>
  [...wordsAsPaths(command, workspace)].some(({ path, program, isExcluded }) => {
    const parts = relative(workspace, path).split(sep);
    return removers.has(program)
      ? parts.includes('.git') || existsSync(join(path, '.git'))
      : parts.at(-1) === '.git' && program !== 'git' && !isExcluded;
  });
