import type { ToolCallRequest } from '../../../contract/wire/chat.ts';
import type { AgentResponse } from '../../../contract/wire/protocol.ts';
import { askTool } from '../ask.ts';
import { failed, succeeded } from '../response.ts';
import { type FinalArgs, finalTool, readFinal } from './final-tool.ts';
import { isFirst, type Loop, mustChange, stepsLeft } from './loop.ts';

/**
 * The response of an accepted `final`, or one sentence that tells the model why it is rejected.
 *
 * @param failures Names of the tools of the same answer that failed.
 */
export async function takeFinal(
  loop: Loop,
  { args, invalid_args }: ToolCallRequest,
  failures: readonly string[],
): Promise<AgentResponse | string> {
  if (invalid_args !== undefined) return 'its arguments are not a JSON object.';
  const final = readFinal(args);
  if (typeof final === 'string') return final;
  if (failures.length > 0) {
    return `${failures.join(' and ')} failed in the same answer. Look at the results, then call "final" again.`;
  }
  const { missing, idle } = await check(loop, final);
  if (loop.inbox.length > 0 && stepsLeft(loop) > 0) {
    return 'a message of the person arrived. Follow it, then call "final" again.';
  }
  if (missing !== undefined) {
    if (isFirst(loop, 'output'))
      return `${missing} Write the missing files, or call "final" with status "error".`;
    return failed('OUTPUT_MISSING', missing, { metrics: loop.metrics });
  }
  if (idle !== undefined && stepsLeft(loop) > 0 && isFirst(loop, 'idle')) return idle;
  return finish(loop, final);
}

interface Problems {
  readonly missing?: string | undefined;
  /** That the step changed nothing, although it must: the model may confirm it. */
  readonly idle?: string | undefined;
}

/** Asks the coordinator for missing files and changes. Without an answer, none is missing: the coordinator checks again at the end. */
async function check(loop: Loop, final: FinalArgs): Promise<Problems> {
  const { status, artifacts, unchanged } = final;
  if (status !== 'ok' || (artifacts.length + unchanged.length === 0 && !mustChange(loop)))
    return {};
  const reply = await askTool(loop.port, {
    tool: finalTool.name,
    args: { artifacts, unchanged },
    reason: 'to check the files of the result',
  });
  const { missing, idle } = (reply.ok ? reply.result : {}) as Record<string, unknown>;
  return { missing: sentenceOf(missing), idle: sentenceOf(idle) };
}

const sentenceOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

function finish({ metrics }: Loop, final: FinalArgs): AgentResponse {
  const { status, result, remember, artifacts, unchanged, needs } = final;
  const extras = { remember, artifacts, metrics };
  return status === 'ok'
    ? succeeded(result, { ...extras, unchanged })
    : failed('TASK_FAILED', result, { ...extras, needs });
}
