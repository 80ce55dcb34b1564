import * as z from 'zod';
import { AppError } from '../../contract/errors.ts';
import { issueLine } from '../../contract/text/issue-line.ts';
import { wireError } from '../../contract/wire/error-reply.ts';
import { FINAL } from '../../contract/wire/final.ts';
import { type ToolCallIntent, toolRequest } from '../../contract/wire/protocol.ts';
import { propose } from '../intent/transitions.ts';
import { adoptIntent } from '../recall/recall.ts';
import type { Call, CallKind, InvalidCall, Received } from './call.ts';
import type { CallContext } from './parts.ts';
import type { ToolOutcome } from './tool/tool-call.ts';
import { toolCalls } from './tool.ts';

const Paths = z.array(z.string().min(1).max(4_096)).max(1_000).default([]);
const FinalArgs = z.strictObject({ artifacts: Paths, unchanged: Paths });

interface FinalCall extends Call {
  readonly named: z.infer<typeof FinalArgs>;
  readonly startedMs: number;
}

/** Calls of `final`. They only read and are always allowed: grants, rules and hooks do not apply. */
export const finalCalls: CallKind<ToolCallIntent, FinalCall, ToolOutcome> = {
  ...toolCalls,
  prepare,
  announce: () => {},
  payment: () => undefined,
  permit: (call) => ({ call, permission: { approved: true, step: 5, rule: FINAL } }),
  basis: () => ({}),
  recordChange: () => undefined,
  waitForStart: () => undefined,
  recheck: undefined,
  async perform({ named, context, startedMs }) {
    const { checkFinal } = context.scope;
    const result = (await checkFinal?.(named)) ?? { missing: null };
    return { ended: 'done', outcome: { ok: true, result }, startedMs };
  },
  report: () => {},
  runAfterHooks: async () => undefined,
};

async function prepare(
  { message, requestHash, recorded }: Received<ToolCallIntent>,
  context: CallContext,
): Promise<FinalCall | InvalidCall> {
  const { args, invalid_args, reason, id } = message;
  const { scope, parts } = context;
  const parsed = FinalArgs.safeParse(invalid_args ?? args);
  const { artifacts, unchanged } = parsed.data ?? { artifacts: [], unchanged: [] };
  const proposed = propose(scope, parts.now, {
    kind: 'tool',
    wireId: id ?? null,
    name: FINAL,
    target: [...artifacts, ...unchanged].join(', ').slice(0, 200),
    tier: 0,
    repeatability: 'pure',
    request: toolRequest(message),
    requestHash,
    reason,
  });
  if (!parsed.success) {
    const issues = issueLine(parsed.error);
    const problem = wireError(new AppError('TOOL_ARGS_INVALID', { tool: FINAL, issues }));
    return { intent: proposed, context, problem };
  }
  const intent = recorded.kind === 'adopt' ? adoptIntent(recorded.record, proposed) : proposed;
  return { intent, context, named: parsed.data, startedMs: performance.now() };
}
