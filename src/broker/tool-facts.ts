import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileStateOf } from '../policy/file-state.ts';
import type { PathFacts, ToolCallFacts } from '../policy/tool-call-facts.ts';
import { resolveExisting } from '../tools/paths.ts';
import type { Operation, TouchedPath } from '../tools/tool.ts';
import { hashFile } from './hash-file.ts';
import type { BrokerParts } from './parts.ts';
import type { AttemptScope } from './scope.ts';

export interface ToolFacts extends ToolCallFacts {
  /** Content of every file to be written as it was when the facts were gathered: SHA-256, or `absent`. */
  readonly onDisk: ReadonlyMap<string, string | 'absent'>;
}

/** Looks up everything that a decision on a tool call may look at. */
export async function gatherToolFacts(
  operation: Operation,
  request: unknown,
  { scope, parts }: { readonly scope: AttemptScope; readonly parts: BrokerParts },
): Promise<ToolFacts> {
  const onDisk = new Map<string, string | 'absent'>();
  const paths = await Promise.all(
    operation.paths.map((touched) => gatherPath(touched, onDisk, { scope, parts })),
  );
  return {
    grant: scope.grants.get(operation.tool),
    workspace: scope.run.workspace,
    paths,
    namedHosts: scope.run.namedHosts,
    hasReadPrivate: scope.run.hasReadPrivate,
    holdsSecret: parts.redactor.holdsSecret(request),
    isolation: parts.isolation,
    gates: parts.gates,
    services: new Set(scope.services),
    onDisk,
  };
}

async function gatherPath(
  { path, access: wanted }: TouchedPath,
  onDisk: Map<string, string | 'absent'>,
  { scope, parts }: { readonly scope: AttemptScope; readonly parts: BrokerParts },
): Promise<PathFacts> {
  const realPath = resolveExisting(resolve(scope.run.workspace, path));
  const facts = {
    path,
    access: wanted,
    realPath,
    isProtected: parts.isProtected(realPath, wanted),
  };
  if (wanted === 'read' || facts.isProtected) return facts;
  const now = await hashFile(realPath);
  onDisk.set(realPath, now ?? 'absent');
  const state = fileStateOf({
    now,
    readByRun: parts.files.knownTo(scope.run.id, realPath),
    writtenByCapstan: parts.files.lastWritten(realPath),
  });
  return { ...facts, state, isExecutable: await isExecutable(realPath) };
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
