import type { Operation } from '../../contract/operation.ts';
import type { FileEffect } from '../calls/preview.ts';

/**
 * All that an operation will do, in full and line by line, for the person who decides on it. Paths and folders stand in
 * quotes, as JSON has them: a line break in a name can't pass for a line of ours. A request to the network is shown
 * with its headers and its body.
 */
export function describeOperation(
  operation: Operation,
  request: unknown,
  effects: readonly FileEffect[],
): string {
  const { command, content, inserted, network, paths, url } = operation;
  const lines = [`${operation.name} (tier ${operation.tier})`];
  for (const { path, access } of paths)
    lines.push(`${access === 'write' ? 'writes' : 'reads'} ${quoted(path)}`);
  if (url) lines.push(`calls ${url.href}`);
  if (network)
    lines.push(
      `may send what it reads to ${quoted(network.map(({ host }) => host))}, and get what it likes from there`,
    );
  if (command?.kind === 'argv')
    lines.push(`runs ${quoted(command.argv)} in ${quoted(command.cwd)}`);
  if (command?.kind === 'shell')
    lines.push(`runs in a shell, in ${quoted(command.cwd)}:`, command.text);
  if (command?.kind === 'python')
    lines.push(`runs Python, in ${quoted(command.cwd)}:`, command.code);
  const diffs = effects.flatMap(({ diff }) => diff ?? []);
  if (diffs.length > 0) lines.push(...diffs);
  else if (content !== undefined) lines.push('new content:', content);
  else if (inserted !== undefined) lines.push('puts in:', inserted);
  else if (!command) lines.push(JSON.stringify(request, undefined, 2));
  return lines.join('\n');
}

const quoted = (value: unknown): string => JSON.stringify(value);
