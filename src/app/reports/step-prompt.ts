import type { StepPrompt } from '../../contract/documents/run-documents.ts';
import { AppError } from '../../contract/errors.ts';
import type { AppContext } from '../app-context.ts';
import { showPrompt } from '../capsules/overlay/show-prompt.ts';
import { findRun } from '../find-run.ts';

const ofCapsule = new Set(['identity', 'skill', 'overlay']);

/** @throws AppError `USAGE` if the run has no such step or it asked no model; `CAPSULE_UNKNOWN` if its capsule is gone. */
export async function stepPrompt(
  context: AppContext,
  runId: string,
  stepId: string,
): Promise<StepPrompt> {
  const run = await findRun(context, runId);
  const { subtasks, journal } = await context.stores();
  const step = subtasks.of(run.id).find(({ id }) => id === stepId);
  const first = journal
    .intentsOf(run.id)
    .find(({ subtaskId, kind }) => subtaskId === stepId && kind === 'chat');
  if (!step?.capsuleId || !first)
    throw new AppError('USAGE', { problem: `The run has no step ${stepId} that asked a model.` });
  const settings = { workspace: run.workspace };
  const { layers, tokens } = await showPrompt(context, step.capsuleId, {
    task: step.description,
    settings,
  });
  const told = systemText(first.request);
  return {
    tokens,
    layers,
    is_as_asked: layers.every(
      ({ kind, text }) => !ofCapsule.has(kind) || told.includes(text.trim()),
    ),
  };
}

function systemText(request: unknown): string {
  const { messages = [] } = request as {
    readonly messages?: readonly { readonly role: string; readonly content: string }[];
  };
  return messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => content)
    .join('\n');
}
