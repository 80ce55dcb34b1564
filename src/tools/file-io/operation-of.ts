import { posix } from 'node:path';
import type { Becomes, Operation, TouchedPath } from '../../contract/permissions/operation.ts';
import type { FileIoArgs } from './arguments.ts';
import { appended, edited, MAX_REWRITTEN_BYTES } from './change/edit.ts';
import { maxReplacedBytes, replaceAll } from './change/replace.ts';

type Name = FileIoArgs['operation'];

const reads: ReadonlySet<string> = new Set<Name>(['list', 'read', 'search']);

/** Repeating these has no further effect. */
const idempotent: ReadonlySet<Name> = new Set(['write', 'rename', 'move', 'copy', 'delete']);

/** @param operation Its short name. */
export const isRead = (operation: string): boolean => reads.has(operation);

/** What a call of `file_io` touches, from its arguments alone. */
export function operationOf(given: FileIoArgs): Omit<Operation, 'tool'> {
  const { operation, path } = given;
  const effect = idempotent.has(operation) ? 'idempotent' : 'unsafe';
  const to = targetOf(given);
  return {
    name: `file_io.${operation}`,
    tier: isRead(operation) ? 0 : 1,
    repeatability: isRead(operation) ? 'pure' : effect,
    paths: pathsOf(given, to),
    ...(operation === 'write' ? { content: given.content } : {}),
    ...(operation === 'append' ? { inserted: given.content } : {}),
    ...(operation === 'edit' || operation === 'replace' ? { inserted: given.new_text } : {}),
    target: to === undefined ? path : `${path} -> ${to}`,
    ...(operation === 'read' ? { lines: linesOf(given) } : {}),
  };
}

function linesOf({ from_line: from, max_lines: count }: FileIoArgs): string | undefined {
  if (count === undefined) return from === 1 ? undefined : `from ${from}`;
  return from > 0 ? `${from}-${from + count - 1}` : `from ${from}, ${count} lines`;
}

/** Where `rename`, `move` and `copy` put the file. */
export function targetOf({ operation, path, to }: FileIoArgs): string | undefined {
  if (to === undefined) return undefined;
  if (operation === 'rename') return posix.join(posix.dirname(path), to);
  if (operation !== 'move' && operation !== 'copy') return undefined;
  return to.endsWith('/') ? posix.join(to, posix.basename(path)) : to;
}

function pathsOf(given: FileIoArgs, to = ''): readonly TouchedPath[] {
  const { operation, path } = given;
  const content = Buffer.from(given.content ?? '');
  const becomes = (at: string, what: Becomes): TouchedPath => ({
    path: at,
    access: 'write',
    becomes: what,
  });
  const rewritten = (by: Rewrite, maxBytes = MAX_REWRITTEN_BYTES) =>
    becomes(path, { kind: 'rewritten', by, maxBytes });
  const copied = becomes(to, { kind: 'copy', of: path });
  const removed = becomes(path, { kind: 'removed' });
  switch (operation) {
    case 'list':
      return [{ path, access: 'read', ...(given.recursive === false ? {} : { subtree: true }) }];
    case 'search':
      return [{ path, access: 'read', subtree: true }];
    case 'read':
      return [{ path, access: 'read' }];
    case 'write':
      return [becomes(path, { kind: 'rewritten', by: () => content })];
    case 'append':
      return [
        rewritten(
          (old) => Buffer.concat(appended(old, given.content)),
          MAX_REWRITTEN_BYTES - content.length,
        ),
      ];
    case 'edit':
      return [rewritten((old) => old && edited(old, given))];
    case 'replace':
      return [
        rewritten(
          async (old) => old && (await replaceAll(old, given)).content,
          maxReplacedBytes(given),
        ),
      ];
    case 'delete':
      return [removed];
    case 'rename':
    case 'move':
      return [removed, copied];
    case 'copy':
      return [{ path, access: 'read' }, copied];
  }
}

type Rewrite = (Becomes & { kind: 'rewritten' })['by'];
