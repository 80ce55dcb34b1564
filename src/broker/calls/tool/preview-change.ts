import { failedWith } from '../../../contract/errors.ts';
import type { Operation } from '../../../contract/permissions/operation.ts';
import { wireError } from '../../../contract/wire/error-reply.ts';
import { decideToolCall } from '../../../policy/decide/decide-tool-call.ts';
import { failure } from '../../../tools/define/call.ts';
import type { FilePreview } from '../../../tools/define/tool.ts';
import type { InvalidCall } from '../call.ts';
import { toolContext } from './perform-tool.ts';
import type { ToolCall } from './tool-call.ts';
import { gatherToolFacts, type ToolFacts } from './tool-facts.ts';

/**
 * The call with its effect on the database, measured on a copy; the error if its statements fail, or a text that the
 * capsule may read can't be changed like this, which nobody is asked about. A call that is denied anyway is not performed
 * on a copy either.
 *
 * @throws AppError `CANCELLED`.
 */
export async function previewed(call: ToolCall): Promise<ToolCall | InvalidCall> {
  const { intent, prepared, facts, context } = call;
  const { operation } = prepared;
  const decision = decideToolCall(operation, facts);
  if (intent.status === 'unknown' || decision.kind === 'deny') return call;
  try {
    const isAsked = decision.kind === 'ask' || intent.status === 'waiting';
    const problem = isAsked ? await problemOf(call) : undefined;
    if (problem !== undefined) throw failure(operation, problem);
    return { ...call, facts: await preview(call, facts) };
  } catch (error) {
    if (failedWith(error, 'CANCELLED')) throw error;
    const { journal, approvals } = context.parts;
    if (intent.status === 'waiting') journal.commit(() => approvals.withdraw(intent.id));
    return { intent, context, problem: wireError(error) };
  }
}

/** Why a change can't be applied to a text that the capsule may read. */
export const problemOf = async (call: ToolCall): Promise<string | undefined> =>
  call.facts.problem !== undefined && (await mayRead(call)) ? call.facts.problem : undefined;

/**
 * Whether the capsule may read the files of a change without a question: else the problem would tell what they contain,
 * try after try, and nobody would know. What hooks would say about the read is unknown.
 */
async function mayRead({ prepared, intent, context }: ToolCall): Promise<boolean> {
  if (context.parts.hooks.has('pre_tool_call')) return false;
  const { tool, target, paths } = prepared.operation;
  const read: Operation = {
    ...{ tool, target, name: `${tool}.read`, tier: 0, repeatability: 'pure' },
    paths: paths.map(({ path }) => ({ path, access: 'read' })),
  };
  return decideToolCall(read, await gatherToolFacts(read, intent, context)).kind === 'allow';
}

/** The current facts with a new preview of the call, since the files that it reads may have changed, too. */
export async function withPreviewOf(call: ToolCall, now: ToolFacts): Promise<ToolFacts> {
  try {
    return await preview(call, now);
  } catch (error) {
    if (failedWith(error, 'CANCELLED')) throw error;
    return now;
  }
}

async function preview(call: ToolCall, facts: ToolFacts): Promise<ToolFacts> {
  const context = toolContext({ ...call, facts }, call.context.scope.signal);
  const found = await call.prepared.preview?.(context);
  return found === undefined ? facts : withPreview(facts, found);
}

function withPreview(
  { effects, paths, ...facts }: ToolFacts,
  { reads, ...found }: FilePreview,
): ToolFacts {
  const isSame = found.before === found.after;
  return {
    ...facts,
    reads,
    effects: effects.map((effect) => ({ ...effect, ...found })),
    paths: isSame
      ? paths.map((one) => (one.access === 'write' ? { ...one, state: 'unchanged' } : one))
      : paths,
  };
}
