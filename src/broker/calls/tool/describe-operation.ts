import type { Operation, TouchedPath } from '../../../contract/permissions/operation.ts';
import { withRenames } from '../../changes/with-renames.ts';
import type { FileEffect } from '../../intent/record.ts';
import type { Script } from './find-scripts.ts';

/**
 * The complete effect of an operation, line by line, for the person who decides, with the scripts that a command runs. Paths and folders are quoted
 * as in JSON, so that a line break in a name can't forge a line. A request to the network is shown with its
 * headers and its body.
 */
export function describeOperation(
  operation: Operation,
  request: unknown,
  effects: readonly FileEffect[],
  scripts: readonly Script[] = [],
): string {
  const { command, content, inserted, network, paths, url } = operation;
  const lines = [`${operation.name} (tier ${operation.tier})`];
  for (const touched of paths) lines.push(`${verbOf(touched)} ${quoted(touched.path)}`);
  if (url) lines.push(`calls ${url.href}`);
  if (network)
    lines.push(
      `may send everything that it reads to ${network.map(({ host }) => host).join(', ')}, and download anything from there`,
    );
  if (command?.kind === 'argv')
    lines.push(`runs ${quoted(command.argv)} in ${quoted(command.cwd)}`);
  if (command?.kind === 'shell')
    lines.push(`runs in a shell, in ${quoted(command.cwd)}:`, command.text);
  if (command?.kind === 'python')
    lines.push(`runs Python, in ${quoted(command.cwd)}:`, command.code);
  lines.push(...scripts.flatMap(scriptLines), ...effects.flatMap(unhashed));
  const diffs = withRenames(effects).flatMap(({ from, diff }) =>
    from === undefined ? (diff ?? []) : SAME_CONTENT,
  );
  lines.push(...effects.flatMap(({ changes = [] }) => changes));
  if (diffs.length > 0) lines.push(...diffs);
  else if (content !== undefined) lines.push('new content:', content);
  else if (inserted !== undefined)
    lines.push(operation.tool === 'sql_query' ? 'by:' : 'puts in:', inserted);
  else if (!command) lines.push(JSON.stringify(request, undefined, 2));
  return lines.join('\n');
}

const SAME_CONTENT = 'the content stays the same';

/** Indented, so that no line of a script can imitate another part of the request. */
const scriptLines = ({ name, text }: Script): readonly string[] => [
  `${quoted(name)} contains:`,
  ...text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `  ${line}`),
];

function unhashed({ path, before }: FileEffect): readonly string[] {
  const bytes = /^stat:(\d+)/.exec(before)?.[1];
  if (bytes === undefined) return [];
  return [`${quoted(path)} has ${bytes} bytes: its size and time are compared, not its content`];
}

function verbOf({ access, becomes }: TouchedPath): string {
  if (access === 'read') return 'reads';
  return becomes?.kind === 'removed' ? 'removes' : 'writes';
}

const quoted = (value: unknown): string => JSON.stringify(value);
