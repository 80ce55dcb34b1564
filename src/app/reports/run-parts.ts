import { realpath } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { fileEffectsOf } from '../../broker/intent/record.ts';
import type { Receipt, RequestDetails } from '../../contract/documents/run-documents.ts';
import { usage } from '../../contract/usage.ts';
import type { Stores } from '../../coordinator/store/create-stores.ts';
import type { RunRecord } from '../../coordinator/store/runs/run-record.ts';
import { isInside } from '../../platform/files/inside.ts';
import { readPlainFile } from '../../platform/files/plain-file.ts';
import type { Route } from '../../registry/search/route.ts';
import { showPrompt } from '../capsules/overlay/show-prompt.ts';
import type { AppContext } from '../context/open-context.ts';
import { findRun } from '../runs/find-run.ts';

/** @throws AppError `USAGE` if the run has no such step or it asked no model; `CAPSULE_UNKNOWN` if its capsule no longer exists. */
export async function stepPrompt(context: AppContext, runId: string, stepId: string) {
  const run = await findRun(context, runId);
  const { subtasks, journal } = await context.stores();
  const step = subtasks.of(run.id).find(({ id }) => id === stepId);
  const first = journal
    .intentsOf(run.id)
    .find(({ subtaskId, kind }) => subtaskId === stepId && kind === 'chat');
  if (!step?.capsuleId || !first) throw usage(`The run has no step ${stepId} that asked a model.`);
  const { layers, tokens } = await showPrompt(context, step.capsuleId, {
    task: step.description,
    settings: { workspace: run.workspace },
  });
  const told = systemText(first.request);
  const ofCapsule = layers.filter(({ kind }) => kind !== 'task' && kind !== 'tools');
  return { tokens, layers, is_as_asked: ofCapsule.every(({ text }) => told.includes(text.trim())) };
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

/** @throws AppError `USAGE` if the run has no such request. */
export function requestDetails(
  { journal }: Pick<Stores, 'journal'>,
  run: RunRecord,
  intentId: string,
): RequestDetails {
  const intent = journal.intentsOf(run.id).find(({ id }) => id === intentId);
  if (!intent) throw usage(`The run has no request ${intentId}.`);
  const { response } = (intent.outcome ?? {}) as {
    readonly response?: { readonly finish?: string; readonly first_text_ms?: number };
  };
  return {
    request: intent.request,
    result: (intent.kind === 'chat' ? response : undefined) ?? intent.outcome ?? null,
    finish_reason: response?.finish ?? null,
    first_text_ms: response?.first_text_ms ?? null,
    files: fileEffectsOf(intent).map(({ path, diff }) => ({
      path: relative(run.workspace, path),
      diff,
      by: 'tool',
    })),
  };
}

const words: Readonly<Record<Route['decidedBy'], string>> = {
  name: 'named in the task',
  plan: 'named by the plan',
  score: 'best score',
  model: 'chosen by the model',
  person: 'chosen by a person',
  twin: 'almost the same as the proposed capsule',
  policy: 'created without a question, because the gate allows it',
};

export function routingReceipts(
  { subtasks }: Pick<Stores, 'subtasks'>,
  { id: runId }: Pick<RunRecord, 'id'>,
): readonly Receipt[] {
  return subtasks.of(runId).flatMap(({ id, capsuleId, route }) => {
    if (!route) return [];
    const { decidedBy, candidates = [], leftOut = [], capsuleId: first } = route as Route;
    const isSecond = first !== undefined && first !== capsuleId;
    const how = words[decidedBy];
    const receipt = {
      subtask_id: id,
      chosen: capsuleId,
      decided_by: isSecond ? `after ${first} (${how}) handed the step back` : how,
      candidates: [
        ...candidates.map((one) => ({ capsule_id: one.capsuleId, score: one.score, note: null })),
        ...leftOut.map(({ capsuleId: capsule_id, lacks }) => {
          return { capsule_id, score: 0, note: `lacks ${lacks.map(lackText).join(', ')}` };
        }),
      ],
    };
    return [receipt];
  });
}

const lackText = (lack: unknown): string =>
  typeof lack === 'string' ? lack : JSON.stringify(lack);

export interface Artifact {
  readonly name: string;
  readonly content: Buffer;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Implements `reports.artifact`. */
export async function readArtifact(stores: Stores, run: RunRecord, path: string) {
  const known = stores.files
    .madeBy(run.id)
    .find((one) => relative(run.workspace, one.path) === path);
  const fail = (problem: string) => usage(problem, 'path');
  if (!known) throw fail(`The run made no file ${path}.`);
  if (known.bytes > MAX_BYTES) throw fail(`${path} is larger than 64 MiB.`);
  const real = await realpath(resolve(run.workspace, path)).catch(() => undefined);
  if (real === undefined) throw fail(`${path} no longer exists.`);
  if (!isInside(run.workspace, real)) throw fail(`${path} leads out of the workspace.`);
  const content = readPlainFile(real, MAX_BYTES);
  if (content) return { name: basename(path), content };
  throw fail(`${path} is no longer a file of at most 64 MiB that can be read.`);
}
