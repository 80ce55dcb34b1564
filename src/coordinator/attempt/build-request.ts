import { basename, relative } from 'node:path';
import type { ModelHint } from '../../contract/wire/chat.ts';
import type { CoordinatorRequest, MemoryItem } from '../../contract/wire/coordinator-messages.ts';
import { PROTOCOL_VERSION } from '../../contract/wire/protocol.ts';
import { withoutName } from '../../registry/files/named-in-text.ts';
import { offeredTools } from '../../registry/offered-tools.ts';
import type { RunContext } from '../context/run-context.ts';
import { requiredOutputs } from '../final/missing-output.ts';
import type { Step } from '../plan/plan.ts';
import type { AttemptPlan } from './attempt-basis.ts';

interface RequestOptions {
  readonly memory: readonly MemoryItem[];
  readonly hint: ModelHint;
  /** Of the model; undefined if it is not known. */
  readonly contextTokens: number | undefined;
}

/** The request that starts an attempt, and its first line on the pipe. */
export function buildRequest(
  run: RunContext,
  plan: AttemptPlan,
  { memory, hint, contextTokens }: RequestOptions,
): CoordinatorRequest {
  const { parts, record } = run;
  const { step, capsule, kind, number: attempt, appliedEffects = [], failures = [] } = plan;
  const messages = parts.messages.of(record.id).map(({ text }) => text);
  const { attachments, conversation } = record.request;
  const { systemPrompt, skills } = parts.registry.prompt(capsule, {
    task_kind: kind.name,
    workspace_name: basename(record.workspace),
    today: parts.now().toISOString().slice(0, 10),
  });
  const writes = requiredOutputs(run, step)
    .filter(({ mayExist }) => !mayExist)
    .map(({ name }) => name);
  return {
    type: 'coordinator_request',
    protocol: PROTOCOL_VERSION,
    session_id: record.sessionId,
    run_id: record.id,
    subtask_id: step.id,
    attempt,
    task: withoutName(step.description, capsule.id),
    context: {
      run_task: withoutName(record.task, capsule.id),
      ...(messages.length > 0 ? { messages } : {}),
      ...(conversation ? { conversation } : {}),
      ...(attachments ? { attachments: [...attachments] } : {}),
      memory: [...memory],
      results: step.depends_on.length > 0 ? resultsFor(run, step) : [],
      ...(writes.length > 0 ? { writes } : {}),
      ...(step.needs.length > 0 ? { needs: [...step.needs] } : {}),
      ...(failures.length > 0 ? { failures: [...failures] } : {}),
      ...(appliedEffects.length > 0 ? { standing_effects: [...appliedEffects] } : {}),
      ...(parts.workspaceNotes ? { workspace_notes: parts.workspaceNotes } : {}),
    },
    artifacts: parts.files.writtenBy(record.id).map(({ path, bytes, sha256, subtaskId }) => ({
      path: relative(record.workspace, path),
      bytes,
      sha256,
      made_by: subtaskId,
    })),
    config: {
      capsule_id: capsule.id,
      task_kind: kind.name,
      mode: kind.mode,
      system_prompt: systemPrompt,
      ...(skills.length > 0 ? { skills: [...skills] } : {}),
      tool_registry: offeredTools(capsule.manifest, kind.mode, parts.tools.values()),
      model: parts.provider.isModel,
      max_steps: kind.max_steps,
      hint,
      max_intents: parts.limits.maxIntents,
      ...(contextTokens === undefined ? {} : { context_tokens: contextTokens }),
    },
  };
}

const resultsFor = ({ parts, record }: RunContext, { depends_on, order_only = [] }: Step) =>
  parts.subtasks
    .of(record.id)
    .filter(({ id }) => depends_on.includes(id) && !order_only.includes(id))
    .map(({ id, description, result }) => ({
      subtask_id: id,
      description,
      result: result ?? null,
    }));
