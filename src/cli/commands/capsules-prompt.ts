import { basename } from 'node:path';
import { capsuleHome } from '../../config/agent-folders.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { Capsule } from '../../registry/capsule-store.ts';
import type { TaskKind } from '../../registry/manifest/manifest.ts';
import { findAuthored } from '../author/find-authored.ts';
import { kindOf, layersOf, loadCatalogue, textOption } from '../author/open-author.ts';
import type { CommandDefinition } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { printJson } from '../print-json.ts';
import { type CapsulesHere, jsonOption, projectOptions, withCapsules } from './capsules-ground.ts';

export const capsulesPrompt: CommandDefinition = {
  name: 'prompt',
  summary:
    'Show what a model is told for one task: each layer, where it comes from, and its tokens',
  arguments: '<id>',
  options: [
    { flags: '--task <text>', description: 'the task, as a person would say it' },
    { flags: '--task-kind <name>', description: 'default: the one that a run with a model takes' },
    ...projectOptions,
    jsonOption,
  ],
  examples: [
    'capstan capsules prompt log-analyst --task "How many requests failed?"',
    'capstan capsules prompt ./agents/mine --json',
  ],
  run: withCapsules(showPrompt),
};

interface Shown {
  readonly kind: string;
  readonly id: string;
  readonly path: string | null;
  readonly text: string;
  /** About four bytes each. */
  readonly tokens: number;
}

async function showPrompt(here: CapsulesHere): Promise<number> {
  const { args, io, loaded } = here;
  for (const notice of loaded.notices) io.stderr(`note: ${escapeText(notice, true)}\n`);
  const capsule = await findAuthored(here);
  const kind = await kindOf(capsule, textOption(args.options['taskKind']), true);
  const skills = await loadCatalogue(here);
  const layers = await layersOf(capsule, skills, {
    task_kind: kind.name,
    workspace_name: basename(loaded.settings.workspace),
    today: new Date().toISOString().slice(0, 10),
  });
  const shown: Shown[] = [
    ...layers.map((layer) => counted(layer)),
    counted({
      kind: 'task',
      id: kind.name,
      path: null,
      text: await messageOf(here, capsule, kind),
    }),
    // A prompt is one call without tools, a handler none at all.
    ...(kind.mode === 'agentic'
      ? [counted({ kind: 'tools', id: kind.name, path: null, text: await toolsOf(capsule) })]
      : []),
  ];
  const tokens = shown.reduce((sum, layer) => sum + layer.tokens, 0);
  if (args.options['json'] === true) {
    const { id } = capsule;
    printJson(io, { capsule: id, task_kind: kind.name, mode: kind.mode, tokens, layers: shown });
    return exitCodes.completed;
  }
  if (kind.mode === 'handler')
    io.stderr(`note: "${kind.name}" is a handler: code, which no model reads a prompt for.\n`);
  for (const { kind: what, id, path, text, tokens: some } of shown) {
    io.stdout(`━━ ${what} ${id} · ≈${some} tokens${path === null ? '' : ` · ${path}`}\n`);
    io.stdout(`${escapeText(text, true)}\n\n`);
  }
  io.stdout(`≈${tokens} tokens before the first answer\n`);
  return exitCodes.completed;
}

const counted = (layer: Omit<Shown, 'tokens'>): Shown => ({
  ...layer,
  tokens: Math.ceil(Buffer.byteLength(layer.text) / 4),
});

/** The first message beside the system prompt. */
async function messageOf(
  { args, loaded }: CapsulesHere,
  capsule: Capsule,
  { name, mode, max_steps }: TaskKind,
): Promise<string> {
  const { taskMessage } = await import('../../runtime/capsule/task-message.ts');
  const { workspaceNotes } = await import('../../app/wiring/workspace-notes.ts');
  const { recallMemory } = await import('../../memory/recall-memory.ts');
  const { places, workspace } = loaded.settings;
  const notes = workspaceNotes(loaded.project);
  const task = textOption(args.options['task']) ?? '(the task)';
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
      memory: recallMemory(capsuleHome(places, workspace, capsule), task),
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

/** The tools that it may call, and how it ends, as the model gets them. */
async function toolsOf({ manifest: { grants } }: Capsule): Promise<string> {
  const { toolbox } = await import('../../tools/toolbox.ts');
  const granted = [...toolbox.values()].filter(({ name }) => Object.hasOwn(grants.tools, name));
  const { finalTool } = await import('../../runtime/capsule/final-tool.ts');
  return [...granted, finalTool]
    .map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }))
    .join('\n');
}
