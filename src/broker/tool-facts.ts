import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileStateOf } from '../policy/file-state.ts';
import type { PathFacts, ToolCallFacts } from '../policy/tool-call-facts.ts';
import { isSampled } from '../policy/trust.ts';
import { resolveExisting, shownPath } from '../tools/paths.ts';
import type { Operation, TouchedPath } from '../tools/tool.ts';
import { type FileEffect, fileEffectOf } from './file-effect.ts';
import type { BrokerParts } from './parts.ts';
import type { AttemptScope } from './scope.ts';

export interface ToolFacts extends ToolCallFacts {
  /** Content of every file to be written as it was when the facts were gathered: SHA-256, or `absent`. */
  readonly onDisk: ReadonlyMap<string, string | 'absent'>;
  /** What the call will do to each of them. */
  readonly effects: readonly FileEffect[];
}

/** Looks up everything that a decision on a tool call may look at. */
export async function gatherToolFacts(
  operation: Operation,
  { request, requestHash }: { readonly request: unknown; readonly requestHash: string },
  { scope, parts }: Where,
): Promise<ToolFacts> {
  const effects: FileEffect[] = [];
  const paths = await Promise.all(
    operation.paths.map((touched) =>
      gatherPath({ ...touched, rewrite: operation.rewrite }, effects, { scope, parts }),
    ),
  );
  return {
    grant: scope.grants.get(operation.tool),
    workspace: scope.run.workspace,
    paths,
    namedHosts: scope.run.namedHosts,
    hasReadPrivate: scope.run.hasReadPrivate,
    holdsSecret: parts.redactor.holdsSecret(request),
    isolation: parts.isolation,
    gates: scope.run.policy.gates,
    rules: scope.run.policy.rules,
    capsuleId: scope.capsuleId,
    isTreeFiltered: true,
    ...(operation.tier === 0 && !operation.command && !operation.url
      ? {}
      : trustFacts(requestHash, { scope, parts })),
    services: new Set(scope.services),
    onDisk: new Map(effects.map(({ path, before }) => [path, before])),
    effects,
  };
}

/** How far the capsule is trusted, and whether the draw of one in ten falls on this call. */
function trustFacts(
  requestHash: string,
  { scope: { run, capsuleId, tally }, parts }: Where,
): Pick<ToolCallFacts, 'trust' | 'isSampled'> {
  const ordinal = tally.requests.get(requestHash) ?? 0;
  return {
    trust: parts.trust.levelsOf(capsuleId),
    isSampled: isSampled(run.seed, requestHash, ordinal),
  };
}

interface Where {
  readonly scope: AttemptScope;
  readonly parts: BrokerParts;
}

async function gatherPath(
  { path, access: wanted, rewrite }: TouchedPath & Pick<Operation, 'rewrite'>,
  effects: FileEffect[],
  { scope, parts }: Where,
): Promise<PathFacts> {
  const realPath = resolveExisting(resolve(scope.run.workspace, path));
  const facts = {
    path,
    access: wanted,
    realPath,
    isProtected: parts.isProtected(realPath, wanted),
  };
  if (wanted === 'read' || facts.isProtected) return facts;
  const shown = shownPath(scope.run.workspace, realPath);
  const effect = await fileEffectOf({ path: realPath, shown }, rewrite);
  effects.push(effect);
  const state = fileStateOf({
    now: effect.before === 'absent' ? undefined : effect.before,
    after: effect.after ?? undefined,
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
