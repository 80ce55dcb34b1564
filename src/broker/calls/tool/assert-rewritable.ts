import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../../contract/errors.ts';
import type { Operation, TouchedPath } from '../../../contract/permissions/operation.ts';
import { isInside, shownPath } from '../../../platform/files/inside.ts';
import { tryOr } from '../../../platform/try-or.ts';
import { grantsPath } from '../../../policy/grants/grants.ts';
import { resolveExisting } from '../../../tools/files/paths.ts';
import type { CallContext } from '../parts.ts';

/** Throws `TOOL_FAILED` for a file that is too large to rewrite, before it is read. Ignores files that the capsule may not touch. */
export function assertRewritable({ tool, paths }: Operation, context: CallContext): void {
  for (const touched of paths) {
    const { becomes } = touched;
    const maxBytes = becomes?.kind === 'rewritten' ? becomes.maxBytes : undefined;
    if (maxBytes === undefined) continue;
    const bytes = sizeOf(touched, tool, context);
    if (bytes <= maxBytes) continue;
    const problem = `"${touched.path}" has ${bytes} bytes; over ${maxBytes} are not rewritten`;
    throw new AppError('TOOL_FAILED', { tool, problem });
  }
}

/** 0 if there is no file, or the capsule may not access it. */
function sizeOf({ path }: TouchedPath, tool: string, { scope, parts }: CallContext): number {
  const { workspace } = scope.run;
  const real = resolveExisting(resolve(workspace, path));
  const grant = scope.grants.get(tool);
  const isAllowed =
    grant !== undefined &&
    isInside(workspace, real) &&
    grantsPath(grant, shownPath(workspace, real)) &&
    !parts.surroundings.isProtected(real, 'write');
  if (!isAllowed) return 0;
  const stats = tryOr(() => statSync(real), undefined);
  return stats?.isFile() ? stats.size : 0;
}
