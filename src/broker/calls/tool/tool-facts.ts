import { accessSync, constants, lstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../../../contract/errors.ts';
import type { IntentRecord } from '../../../contract/intent.ts';
import type { Becomes, Operation, TouchedPath } from '../../../contract/permissions/operation.ts';
import { MAX_ATTEMPT_BYTES, reserveBytes } from '../../../platform/byte-budget.ts';
import { isInside, shownPath } from '../../../platform/files/inside.ts';
import { beginsLikeProgram } from '../../../platform/files/is-program.ts';
import { sha256 } from '../../../platform/text/canonical-hash.ts';
import { textDiff } from '../../../platform/text/text-diff.ts';
import { codeOf, tryOr } from '../../../platform/try-or.ts';
import type { PathFacts, ToolCallFacts } from '../../../policy/decide/tool-call-facts.ts';
import { isSampled } from '../../../policy/limits/trust.ts';
import { fileStateOf } from '../../../policy/protected/file-state.ts';
import { inspectFile, isFile, isFolder, stateAt } from '../../../tools/files/path-state.ts';
import { resolveExisting } from '../../../tools/files/paths.ts';
import { writeProblemOf } from '../../../tools/files/write-file.ts';
import { copyAt } from '../../../tools/git/shown-copy.ts';
import type { FileEffect } from '../../intent/record.ts';
import type { AttemptScope } from '../../intent/scope.ts';
import type { Awaitable } from '../call.ts';
import { serviceFacts } from '../http/http-payment.ts';
import type { CallContext } from '../parts.ts';

/** The facts that a decision on a tool call is based on, with its effects on files. */
export interface ToolFacts extends ToolCallFacts {
  /** Effects on the files that it writes, as far as they are known. */
  readonly effects: readonly FileEffect[];
  /** Content of the files that its command names; for questions. */
  readonly named?: readonly FileEffect[];
  /** The files that its preview read. Default: those of its paths. */
  readonly reads?: readonly string[] | undefined;
  /** Why the content of a file can't be changed like this: the call would fail. */
  readonly problem?: string | undefined;
}

/** The effects on files for the row of an intent; undefined if there are none. */
export const filesOf = ({ effects, named }: ToolFacts): readonly FileEffect[] | undefined =>
  named ? [...effects, ...named] : effects.length > 0 ? effects : undefined;

/**
 * The same facts with the content that an approval by a person is bound to: of the files that a command names, or that a
 * change reads.
 */
export async function bindFiles(
  { command, paths }: Operation,
  facts: ToolFacts,
  { run }: AttemptScope,
): Promise<ToolFacts> {
  if (!command) {
    const { effects, reads = [] } = facts;
    if (effects.length === 0) return facts;
    const isBound = ({ access, isProtected }: PathFacts, at: number) =>
      !(access === 'write' || isProtected || paths[at]?.subtree);
    const read = new Set([
      ...facts.paths.filter(isBound).map(({ realPath }) => realPath),
      ...reads,
    ]);
    for (const { path } of effects) read.delete(path);
    const named: FileEffect[] = [];
    for (const path of read) {
      const { state: before } = await inspectFile(path);
      named.push({ path, before, after: null, diff: null, isNamed: true });
    }
    return named.length > 0 ? { ...facts, named } : facts;
  }
  const { namedContent } = await import('../../changes/workspace/named-content.ts');
  return { ...facts, named: await namedContent(command, run.workspace) };
}

/** The part of an intent that the facts depend on. */
export interface FactsRequest {
  readonly request: unknown;
  readonly requestHash: string;
  /** Default: tool. */
  readonly kind?: IntentRecord['kind'];
  readonly hook?: ToolCallFacts['hook'];
}

/** Looks up the current facts for a decision on a tool call. */
export function gatherToolFacts(
  operation: Operation,
  request: FactsRequest,
  context: CallContext,
): Awaitable<ToolFacts> {
  const paths = operation.paths.map((touched) => locate(touched, context));
  return paths.some(isWritten)
    ? gatherWrites(operation, request, context, paths)
    : factsOf(operation, request, context, { paths, effects: [] });
}

const isWritten = ({ access, isProtected }: PathFacts) => access === 'write' && !isProtected;

async function gatherWrites(
  operation: Operation,
  request: FactsRequest,
  context: CallContext,
  located: readonly PathFacts[],
): Promise<ToolFacts> {
  const preview: Preview = { effects: [], problems: [], context, located };
  const paths: PathFacts[] = [];
  for (const [at, found] of located.entries()) {
    const becomes = operation.paths[at]?.becomes;
    paths.push(isWritten(found) ? await previewWrite(found, becomes, preview) : found);
  }
  const { effects, problems } = preview;
  return { ...factsOf(operation, request, context, { paths, effects }), problem: problems[0] };
}

function factsOf(
  operation: Operation,
  { request, requestHash, kind = 'tool', hook }: FactsRequest,
  context: CallContext,
  { paths, effects }: Pick<ToolFacts, 'paths' | 'effects'>,
): ToolFacts {
  const { scope, parts } = context;
  const { run, capsuleId } = scope;
  const trust = trustFacts(operation, requestHash, context);
  const service = parts.services?.size ? serviceFacts(operation, context) : undefined;
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
    currentRules: run.currentRules?.rules,
    capsuleId,
    isTreeFiltered: true,
    trust: trust?.trust,
    isSampled: trust?.isSampled,
    services: service?.services ?? new Set(),
    costMicroUsd: service?.costMicroUsd,
    serviceProblem: service?.serviceProblem,
    hook,
    effects,
  };
}

/** A granted service includes its host; an `http` call needs no grant of a tool. */
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

/** The user named the host of a service by configuring it. */
function namedHosts({ service, url }: Operation, { run, services }: AttemptScope) {
  if (service === undefined || !url || !services.includes(service)) return run.namedHosts;
  return new Set([...run.namedHosts, url.host]);
}

/** Trust in the capsule, and whether the sample of one in ten contains this call. A read needs no trust. */
function trustFacts(
  { tier, command, url }: Operation,
  requestHash: string,
  { scope: { run, capsuleId, tally }, parts }: CallContext,
): Pick<ToolCallFacts, 'trust' | 'isSampled'> | undefined {
  if (tier === 0 && command === undefined && url === undefined) return undefined;
  const ordinal = tally.requests.get(requestHash) ?? 0;
  return {
    trust: parts.trust.levelsOf(capsuleId),
    isSampled: isSampled(run.seed, requestHash, ordinal),
  };
}

function locate({ path, access }: TouchedPath, { scope, parts }: CallContext): PathFacts {
  const realPath = resolveExisting(resolve(scope.run.workspace, path));
  return { path, access, realPath, isProtected: parts.surroundings.isProtected(realPath, access) };
}

interface Preview {
  readonly effects: FileEffect[];
  readonly problems: string[];
  readonly context: CallContext;
  readonly located: readonly PathFacts[];
}

async function previewWrite(
  found: PathFacts,
  becomes: Becomes | undefined,
  { effects, problems, context, located }: Preview,
): Promise<PathFacts> {
  const { run, tally: attempt, signal } = context.scope;
  const { files } = context.parts;
  const { realPath: path } = found;
  const isRemoved = becomes?.kind === 'removed';
  if (isRemoved && isFolder(path)) return { ...found, isRemoved, state: 'other' };
  const rewrite = rewriteOf(becomes, located, context);
  // An attempt does or previews one write at a time, and none while it waits for results.
  const release = await reserveBytes({ attempt, bytes: MAX_ATTEMPT_BYTES, signal });
  let effect: FileEffect;
  try {
    const noted = rewrite && noting(rewrite, problems);
    const shown = shownPath(run.workspace, path);
    if (isTooLarge(path, becomes)) problems.push(`"${shown}" is too large to be rewritten`);
    effect = await previewFile({ path, shown }, noted).catch((error) => {
      problems.push(`"${shown}" can't be examined: ${writeProblemOf(error)}`);
      return { path, before: 'unreadable', after: null, diff: null };
    });
  } finally {
    release();
  }
  effects.push(effect);
  const state = fileStateOf({
    now: effect.before === 'absent' ? undefined : effect.before,
    after: effect.after ?? undefined,
    readByRun: files.knownTo(run.id, path),
    writtenByCapstan: files.lastWritten(run.id, path),
  });
  return {
    ...{ ...found, state, isExecutable: isExecutable(path) || isCopyOfProgram(becomes, located) },
    ...(isRemoved && { isRemoved }),
    ...(becomes?.kind === 'database' && { isDatabase: true }),
  };
}

const isTooLarge = (path: string, becomes: Becomes | undefined): boolean =>
  becomes?.kind === 'rewritten' &&
  tryOr(() => lstatSync(path).size, 0) > (becomes.maxBytes ?? Number.POSITIVE_INFINITY);

type Rewrite = (old: Buffer | undefined) => Awaitable<Buffer | 'absent' | 'unread' | undefined>;

/** Undefined if the new content is not known before the call. A source that may not be read is not read for a preview either; Git configuration is copied without credentials. */
function rewriteOf(
  becomes: Becomes | undefined,
  located: readonly PathFacts[],
  { scope: { run }, parts: { surroundings } }: CallContext,
): Rewrite | undefined {
  if (becomes === undefined || becomes.kind === 'database') return undefined;
  if (becomes.kind === 'removed') return () => 'absent';
  if (becomes.kind === 'rewritten') return becomes.by;
  const source = located.find(({ path }) => path === becomes.of);
  if (!source || source.isProtected || !isInside(run.workspace, source.realPath)) return undefined;
  const { path, realPath } = source;
  const names = [realPath, resolve(run.workspace, path)];
  const isConfig = names.some((name) => surroundings.isGitConfig?.(name));
  const shown = isConfig ? copyAt(realPath) : undefined;
  return () => (Buffer.isBuffer(shown) ? shown : readSmall(realPath));
}

const noting =
  (rewrite: Rewrite, problems: string[]): Rewrite =>
  async (old) =>
    (async () => rewrite(old))().catch((error) => void problems.push(messageOf(error)));

/** A copy keeps the mode of its source. On some file systems every file can be executed, so the content counts too. */
const isCopyOfProgram = (becomes: Becomes | undefined, located: readonly PathFacts[]): boolean =>
  becomes?.kind === 'copy' &&
  located.some(
    ({ path, realPath }) =>
      path === becomes.of && isExecutable(realPath) && beginsLikeProgram(realPath),
  );

const isExecutable = (path: string): boolean =>
  tryOr(() => accessSync(path, constants.X_OK) === undefined, false);

/** Larger files are hashed without a diff. */
const MAX_BYTES = 1024 * 1024;

/** Reads a file, and computes its content after the call. `shown` is its path in the diff. */
async function previewFile(
  { path, shown }: { readonly path: string; readonly shown: string },
  rewrite: Rewrite | undefined,
): Promise<FileEffect> {
  const old = rewrite ? await readSmall(path) : 'unread';
  if (old === 'unread') {
    const state = await stateAt(path);
    return { path, before: isFile(state) ? state : 'absent', after: null, diff: null };
  }
  const before = old ? sha256(old) : 'absent';
  const after = await rewrite?.(old);
  if (after === undefined || after === 'unread') return { path, before, after: null, diff: null };
  const made = after === 'absent' ? undefined : after;
  // A question shows every change of a text, also if it contains U+0000.
  const { diff } = textDiff(shown, old, made, { allowsNul: true });
  return { path, before, after: made ? sha256(made) : 'absent', diff };
}

/** Undefined if there is no file; `unread` if it is too long or not a regular file. */
async function readSmall(path: string): Promise<Buffer | undefined | 'unread'> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_BYTES) return 'unread';
    return await file.readFile();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
