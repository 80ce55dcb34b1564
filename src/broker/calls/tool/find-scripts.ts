import { resolve } from 'node:path';
import type { Operation } from '../../../contract/permissions/operation.ts';
import { printable } from '../../../contract/text/printable.ts';
import { readPlainFile } from '../../../platform/files/plain-file.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import { textOf } from '../../../platform/text/text-diff.ts';
import { shownCommands } from '../../../policy/rules/command-words.ts';
import { resolveExisting, shownPath } from '../../../tools/files/paths.ts';
import type { Script } from '../../intent/record.ts';
import type { ToolCall } from './tool-call.ts';

const MAX_SCRIPTS = 5;
const MAX_BYTES = 64 * 1024;

/**
 * The files that the words of a command run, with the content that an approval is bound to. Left out are files that tools
 * may not read, that have changed meanwhile, that are longer than 64 KiB, and that are not text.
 */
export function findScripts({ prepared, facts, context }: ToolCall): readonly Script[] {
  const { named = [], workspace } = facts;
  const run = runPaths(prepared.operation, workspace);
  const { isProtected } = context.parts.surroundings;
  return named
    .filter(({ path }) => run.has(path) && !isProtected(path, 'read'))
    .slice(0, MAX_SCRIPTS)
    .flatMap(({ path, before }) => {
      const content = readPlainFile(path, MAX_BYTES);
      const text = content && sha256(content) === before ? textOf(content) : undefined;
      return text === undefined ? [] : [{ name: shownPath(workspace, path), text }];
    });
}

const interpreters =
  /^(?:\.|source|(?:ba|da|z|k|a)?sh|python[\d.]*|node|deno|bun|tsx|perl|ruby|php|lua)$/;
const scriptEnding = /\.(?:sh|bash|py|[mc]?[jt]s|rb|pl|php|lua)$/;

/** Programs with a path (`./build`), the first file that an interpreter gets, and its others that end like a script; absolute. */
function runPaths({ command }: Operation, workspace: string): ReadonlySet<string> {
  if (command === undefined) return new Set();
  const words = shownCommands(command).flatMap(([program = '', ...given]) => {
    if (!interpreters.test(program)) return program.includes('/') ? [program] : [];
    const first = given.find((word) => !word.startsWith('-'));
    return given.filter((word) => word === first || scriptEnding.test(word));
  });
  const folder = resolve(workspace, command.cwd);
  return new Set(words.map((word) => resolveExisting(resolve(folder, word))));
}

/** `It runs clean.sh: the content is shown, and approving once is for this content only.` */
export function sentenceAbout(scripts: readonly Script[]): string {
  if (scripts.length === 0) return '';
  const names = scripts.map(({ name }) => name).join(', ');
  return `It runs ${printable(names)}: the content is shown, and approving once is for this content only.`;
}
