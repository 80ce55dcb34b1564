import { existsSync, lstatSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { IntentRecord } from '../../../contract/intent.ts';
import type { Command, Operation } from '../../../contract/permissions/operation.ts';
import { printable } from '../../../contract/text/printable.ts';
import type { ToolCallIntent } from '../../../contract/wire/protocol.ts';
import { shownPath } from '../../../platform/files/inside.ts';
import { isProgram } from '../../../platform/files/is-program.ts';
import { readPlainFile } from '../../../platform/files/plain-file.ts';
import { canonicalHash, sha256 } from '../../../platform/text/canonical-hash.ts';
import { textOf } from '../../../platform/text/text-diff.ts';
import { tryOr } from '../../../platform/try-or.ts';
import { shownCommands } from '../../../policy/rules/command-words.ts';
import { resolveExisting } from '../../../tools/files/paths.ts';
import { removers, wordsAsPaths } from '../../changes/workspace/named-files.ts';
import { hiddenScripts, isShown, type Script } from '../../intent/record.ts';
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

const MAX_SCRIPTS = 5;
const MAX_BYTES = 64 * 1024;
const MAX_SENTENCE_CHARS = 400;

/**
 * The files that the words of a command run, those with their content first: an approval is bound to it. Without it are all
 * after the fifth, and files that tools may not read, that have changed meanwhile, that are longer than 64 KiB, and that are
 * not text, with the reason.
 */
export function findScripts({ prepared, facts, context }: ToolCall): readonly Script[] {
  const { named = [], workspace } = facts;
  const run = runPaths(prepared.operation, workspace);
  const { isProtected } = context.parts.surroundings;
  const scripts = named
    .filter(({ path }) => run.has(path))
    .map(({ path, before }, at): Script => {
      const name = shownPath(workspace, path);
      const bytes = tryOr(() => lstatSync(path).size, 0);
      if (bytes > MAX_BYTES) return { name, problem: `${Math.round(bytes / 1_000)} KB` };
      if (isProtected(path, 'read')) return { name, problem: 'protected' };
      if (at >= MAX_SCRIPTS) return { name };
      const content = readPlainFile(path, MAX_BYTES);
      if (content === undefined) return { name, problem: 'not readable' };
      if (sha256(content) !== before) return { name, problem: 'changed meanwhile' };
      const text = textOf(content);
      return text === undefined ? { name, problem: 'not text' } : { name, text };
    });
  return [...scripts.filter(isShown), ...scripts.filter((one) => !isShown(one))];
}

const interpreters =
  /^(?:\.|source|(?:ba|da|z|k|a)?sh|python[\d.]*|node|deno|bun|tsx|perl|ruby|php|lua)$/;
const scriptEnding = /\.(?:sh|bash|py|[mc]?[jt]s|rb|pl|php|lua)$/;

/**
 * Programs with a path (`./build`), after a starter such as `timeout` only those that can be executed; the first file that an
 * interpreter gets, and its others that end like a script; absolute.
 */
function runPaths({ command }: Operation, workspace: string): ReadonlySet<string> {
  if (command === undefined) return new Set();
  const folder = resolve(workspace, command.cwd);
  const words = shownCommands(command).flatMap(({ program, words, isGuess }) => {
    const [written = '', ...given] = words;
    const isRun = written.includes('/') && (!isGuess || isProgram(resolve(folder, written)));
    const programs = isRun ? [written] : [];
    if (!interpreters.test(program)) return programs;
    const first = given.find((word) => !word.startsWith('-'));
    return [...programs, ...given.filter((word) => word === first || scriptEnding.test(word))];
  });
  return new Set(words.map((word) => resolveExisting(resolve(folder, word))));
}

/** `It runs clean.sh: the content is shown, and approving once is for this content only.` */
export function sentenceAbout(scripts: readonly Script[]): string {
  const hidden = hiddenScripts(scripts);
  const rest = hidden && printable(hidden, MAX_SENTENCE_CHARS);
  const names = scripts.filter(isShown).map(({ name }) => name);
  if (names.length === 0) return rest === undefined ? '' : `It runs ${rest}.`;
  const shown = `It runs ${printable(names.join(', '))}: the content is shown, and approving once is for this content only`;
  return rest === undefined ? `${shown}.` : `${shown}; and ${rest}.`;
}
