import { posix } from 'node:path';
import type { Becomes, Operation, TouchedPath } from '../../contract/operation.ts';
import type { FileIoArgs } from './arguments.ts';
import { MAX_REWRITTEN_BYTES, replaced } from './change/edit.ts';
import { replacedAll } from './change/replace.ts';

type Name = FileIoArgs['operation'];

const reads: ReadonlySet<Name> = new Set(['list', 'read', 'search']);

/** Performed twice, these have the effect of once. */
const idempotent: ReadonlySet<Name> = new Set(['write', 'rename', 'move', 'copy', 'delete']);

export const isWrite = ({ operation }: FileIoArgs): boolean => !reads.has(operation);

/** What a call of `file_io` touches, from its arguments alone. */
export function operationOf(given: FileIoArgs): Omit<Operation, 'tool'> {
  const { operation, path } = given;
  const effect = idempotent.has(operation) ? 'idempotent' : 'unsafe';
  const to = targetOf(given);
  return {
    name: `file_io.${operation}`,
    tier: isWrite(given) ? 1 : 0,
    repeatability: isWrite(given) ? effect : 'pure',
    paths: pathsOf(given, to),
    ...(operation === 'write' ? { content: given.content } : {}),
    ...(operation === 'append' ? { inserted: given.content } : {}),
    ...(operation === 'edit' || operation === 'replace' ? { inserted: given.new_text } : {}),
    target: to === undefined ? path : `${path} -> ${to}`,
  };
}

/** Where `rename`, `move` and `copy` put the file. */
export function targetOf({ operation, path, to }: FileIoArgs): string | undefined {
  if (to === undefined) return undefined;
  if (operation === 'rename') return posix.join(posix.dirname(path), to);
  if (operation !== 'move' && operation !== 'copy') return undefined;
  return to.endsWith('/') ? posix.join(to, posix.basename(path)) : to;
}

function pathsOf(given: FileIoArgs, to: string | undefined): readonly TouchedPath[] {
  const { operation, path } = given;
  const written = (by: Rewrite, most?: { readonly maxBytes: number }): TouchedPath[] => [
    { path, access: 'write', becomes: { kind: 'rewritten', by, ...most } },
  ];
  const rewritten = (by: Rewrite) => written(by, { maxBytes: MAX_REWRITTEN_BYTES });
  switch (operation) {
    case 'list':
      return [{ path, access: 'read', ...(given.recursive === false ? {} : { subtree: true }) }];
    case 'search':
      return [{ path, access: 'read', subtree: true }];
    case 'read':
      return [{ path, access: 'read' }];
    case 'write':
      return written(() => Buffer.from(given.content ?? ''));
    case 'append':
      return rewritten((old = Buffer.alloc(0)) =>
        Buffer.concat([old, Buffer.from(given.content ?? '')]),
      );
    case 'edit':
      return rewritten((old) => old && replaced(old, replacementOf(given)));
    case 'replace':
      return rewritten(async (old) => old && (await replacedAll(old, given)).content);
    case 'delete':
      return [removed(path)];
    case 'rename':
    case 'move':
      return [removed(path), copied(to ?? '', path)];
    case 'copy':
      return [{ path, access: 'read' }, copied(to ?? '', path)];
  }
}

type Rewrite = (Becomes & { kind: 'rewritten' })['by'];

const removed = (path: string): TouchedPath => ({
  path,
  access: 'write',
  becomes: { kind: 'removed' },
});

const copied = (path: string, of: string): TouchedPath => ({
  path,
  access: 'write',
  becomes: { kind: 'copy', of },
});

export const replacementOf = ({ old_text = '', new_text = '', replace_all }: FileIoArgs) => ({
  oldText: old_text,
  newText: new_text,
  everywhere: replace_all,
});
