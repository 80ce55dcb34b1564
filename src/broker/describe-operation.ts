import type { Operation } from '../tools/tool.ts';
import type { FileEffect } from './file-effect.ts';

/** All that an operation will do, in full and line by line, for the person who decides on it. */
export function describeOperation(
  operation: Operation,
  request: unknown,
  effects: readonly FileEffect[],
): string {
  const { command, content, inserted, paths, url } = operation;
  const lines = [`${operation.name} (tier ${operation.tier})`];
  for (const { path, access } of paths)
    lines.push(`${access === 'write' ? 'writes' : 'reads'} ${path}`);
  if (url) lines.push(`calls ${url.href}`);
  if (command?.kind === 'argv')
    lines.push(`runs ${JSON.stringify(command.argv)} in ${command.cwd}`);
  if (command?.kind === 'shell') lines.push(`runs in a shell, in ${command.cwd}:`, command.text);
  if (command?.kind === 'python') lines.push(`runs Python, in ${command.cwd}:`, command.code);
  const diffs = effects.flatMap(({ diff }) => diff ?? []);
  if (diffs.length > 0) lines.push(...diffs);
  else if (content !== undefined) lines.push('new content:', content);
  else if (inserted !== undefined) lines.push('puts in:', inserted);
  else if (!command) lines.push(JSON.stringify(request, undefined, 2));
  return lines.join('\n');
}
