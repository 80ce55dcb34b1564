import { basename } from 'node:path';
import { kindOf, promptOf } from '../../../authoring/prompt-of.ts';
import { capsuleHome } from '../../../config/files/agent-folders.ts';
import { failedWith } from '../../../contract/errors.ts';
import type { PromptSkill } from '../../../contract/wire/coordinator-messages.ts';
import { recallMemory } from '../../../memory/open-memory.ts';
import type { Capsule } from '../../../registry/capsule-store.ts';
import type { Finding } from '../../../registry/finding.ts';
import type { TaskKind } from '../../../registry/manifest/manifest.ts';
import { offeredTools } from '../../../registry/offered-tools.ts';
import { finalTool } from '../../../runtime/capsule/loop/final-tool.ts';
import { skillTools } from '../../../runtime/capsule/read-skill.ts';
import { taskMessage } from '../../../runtime/capsule/task-message.ts';
import { toolbox } from '../../../tools/toolbox.ts';
import type { AppContext } from '../../context/open-context.ts';
import { workspaceNotes } from '../../wiring/workspace-notes.ts';
import {
  type CapsuleOptions,
  findAuthored,
  findCapsule,
  type LoadedCapsules,
  loadCapsules,
  readSkills,
} from '../load-capsules.ts';
import { lintDraft, withDraft } from './lint-draft.ts';

export interface PromptOptions extends CapsuleOptions {
  /** Default: `(the task)`. */
  readonly task?: string | undefined;
  /** Default: the one that a run with a model takes. */
  readonly taskKind?: string | undefined;
  /** An overlay in place of the saved one. */
  readonly overlay?: string | undefined;
}

/** The prompt of one task, before the first answer of the model. */
export interface CapsulePrompt {
  readonly capsule: string;
  readonly taskKind: string;
  /** A handler is code: no model reads its prompt. */
  readonly mode: TaskKind['mode'];
  readonly tokens: number;
  readonly layers: readonly ShownLayer[];
}

export interface ShownLayer {
  readonly kind: 'identity' | 'skill' | 'overlay' | 'task' | 'tools';
  readonly id: string;
  /** Its file; null for the task and the tools. */
  readonly path: string | null;
  readonly text: string;
  /** Estimated: four bytes each. */
  readonly tokens: number;
}

/** @throws AppError `CAPSULE_UNKNOWN`, `USAGE`, `SKILL_UNKNOWN`, `TEMPLATE_INVALID`; `OVERLAY_INVALID` if it is too long. */
export async function showPrompt(context: AppContext, named: string, options: PromptOptions = {}) {
  const loaded = await loadCapsules(context, options);
  for (const notice of loaded.loaded.notices) loaded.notice(notice);
  const found = findAuthored(loaded, named);
  const { overlay } = options;
  const capsule = overlay === undefined ? found : withDraft(loaded, found, overlay);
  const kind = kindOf(capsule, options.taskKind, true);
  const { layers, skills } = promptOf(capsule, await readSkills(loaded, capsule), {
    task_kind: kind.name,
    workspace_name: basename(loaded.loaded.settings.workspace),
    today: context.now().toISOString().slice(0, 10),
  });
  const task = taskText(loaded, capsule, kind, options.task ?? '(the task)');
  // A prompt is one call without tools; a handler makes none.
  const tools = kind.mode === 'agentic' ? [toolsText(capsule, skills)] : [];
  const shown = [
    ...layers.map(withTokens),
    withTokens({ kind: 'task', id: kind.name, path: null, text: task }),
    ...tools.map((text) => withTokens({ kind: 'tools', id: kind.name, path: null, text })),
  ];
  const tokens = shown.reduce((sum, layer) => sum + layer.tokens, 0);
  return { capsule: capsule.id, taskKind: kind.name, mode: kind.mode, tokens, layers: shown };
}

const withTokens = (layer: Omit<ShownLayer, 'tokens'>): ShownLayer => ({
  ...layer,
  tokens: Math.ceil(Buffer.byteLength(layer.text) / 4),
});

/** The first message after the system prompt. */
function taskText(
  { loaded }: LoadedCapsules,
  capsule: Capsule,
  { name, mode, max_steps }: TaskKind,
  task: string,
): string {
  const { places, workspace } = loaded.settings;
  const notes = workspaceNotes(loaded.project);
  return taskMessage({
    type: 'coordinator_request',
    protocol: 1,
    session_id: '',
    run_id: '',
    subtask_id: 's1',
    attempt: 1,
    task,
    context: {
      run_task: task,
      memory: [...recallMemory(capsuleHome(places, workspace, capsule), task, { workspace }).items],
      results: [],
      ...(notes === undefined ? {} : { workspace_notes: notes }),
    },
    artifacts: [],
    config: {
      capsule_id: capsule.id,
      task_kind: name,
      mode,
      system_prompt: '',
      tool_registry: [],
      model: true,
      max_steps,
    },
  });
}

/** The tools that it may call, and `final`, as the model gets them. */
function toolsText({ manifest }: Capsule, skills: readonly PromptSkill[]): string {
  const offered = offeredTools(manifest, 'agentic', toolbox.values());
  return [...offered, ...skillTools({ skills: [...skills] }), finalTool]
    .map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }))
    .join('\n');
}

/** The effects of saving an overlay. */
export interface OverlayPreview {
  /** The prompt; null if a template in the overlay is invalid (see the findings). */
  readonly prompt: CapsulePrompt | null;
  readonly findings: readonly Finding[];
}

/** @throws AppError `CAPSULE_UNKNOWN`, `SKILL_UNKNOWN`; `OVERLAY_INVALID` if the text is too long. */
export async function previewOverlay(
  context: AppContext,
  id: string,
  text: string,
  options: CapsuleOptions = {},
): Promise<OverlayPreview> {
  const loaded = await loadCapsules(context, options);
  const capsule = withDraft(loaded, findCapsule(loaded, id), text);
  const findings = await lintDraft(loaded, capsule);
  const prompt = await showPrompt(context, id, { ...options, overlay: text }).catch((error) => {
    if (failedWith(error, 'TEMPLATE_INVALID') && findings.length > 0) return null;
    throw error;
  });
  return { prompt, findings };
}
