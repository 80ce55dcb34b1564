import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { IntentRecord } from '../../contract/intent.ts';
import type { Operation, TouchedPath } from '../../contract/operation.ts';
import { fileStateOf } from '../../policy/file-state.ts';
import type { PathFacts, ToolCallFacts } from '../../policy/tool-call-facts.ts';
import { isSampled } from '../../policy/trust.ts';
import { resolveExisting, shownPath } from '../../tools/paths.ts';
import type { AttemptScope } from '../intent/scope.ts';
import type { ToolFacts } from '../tool-calls/tool-call.ts';
import type { BrokerParts } from './parts.ts';
import { type FileEffect, fileEffectOf } from './preview.ts';
import { serviceFacts } from './service.ts';

/** Looks up everything that a decision on a tool call may look at. */
export async function gatherToolFacts(
  operation: Operation,
  { request, requestHash, kind = 'tool', hook }: Asked,
  { scope, parts }: Where,
): Promise<ToolFacts> {
  const { run, capsuleId } = scope;
  const effects: FileEffect[] = [];
  const paths: PathFacts[] = [];
  for (const touched of operation.paths) {
    paths.push(
      await gatherPath({ ...touched, rewrite: operation.rewrite }, effects, { scope, parts }),
    );
  }
  const standing = trustFacts(operation, requestHash, { scope, parts });
  const paid = serviceFacts(operation, { scope, parts });
  return {
    grant: grantOf(operation, kind, scope),
    workspace: run.workspace,
    paths,
    namedHosts: namedHosts(operation, scope),
    hasReadPrivate: run.hasReadPrivate,
    holdsSecret: parts.redactor.holdsSecret(request),
    isolation: parts.isolation,
    gates: run.policy.gates,
    rules: run.policy.rules,
    capsuleId,
    isTreeFiltered: true,
    trust: standing?.trust,
    isSampled: standing?.isSampled,
    services: paid.services,
    costMicroUsd: paid.costMicroUsd,
    serviceProblem: paid.serviceProblem,
    hook,
    onDisk: new Map(effects.map(({ path, before }) => [path, before])),
    effects,
  };
}

/** A service that is granted is granted with its host; to be asked by name it needs no grant of a tool. */
function grantOf(
  { tool, service, url }: Operation,
  kind: IntentRecord['kind'],
  scope: AttemptScope,
): ToolCallFacts['grant'] {
  if (kind === 'http') return { hosts: url ? [url.host] : [] };
  const grant = scope.grants.get(tool);
  if (!grant || !url || service === undefined || !scope.services.includes(service)) return grant;
  return { ...grant, hosts: [...(grant.hosts ?? []), url.host] };
}

/** Who configured a service named its host. */
function namedHosts({ service, url }: Operation, { run, services }: AttemptScope) {
  if (service === undefined || !url || !services.includes(service)) return run.namedHosts;
  return new Set([...run.namedHosts, url.host]);
}

/** How far the capsule is trusted, and whether the draw of one in ten falls on this call. A read needs no trust. */
function trustFacts(
  { tier, command, url }: Operation,
  requestHash: string,
  { scope: { run, capsuleId, tally }, parts }: Where,
): Pick<ToolCallFacts, 'trust' | 'isSampled'> | undefined {
  if (tier === 0 && command === undefined && url === undefined) return undefined;
  const ordinal = tally.requests.get(requestHash) ?? 0;
  return {
    trust: parts.trust.levelsOf(capsuleId),
    isSampled: isSampled(run.seed, requestHash, ordinal),
  };
}

interface Asked {
  readonly request: unknown;
  readonly requestHash: string;
  /** Default: tool. */
  readonly kind?: IntentRecord['kind'];
  /** What the person's hooks have against it. */
  readonly hook?: ToolCallFacts['hook'];
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
