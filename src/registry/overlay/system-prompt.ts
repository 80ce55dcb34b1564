import { join } from 'node:path';
import type { Capsule } from '../capsule-store.ts';
import type { Skill } from './skills.ts';
import { renderTemplate } from './template.ts';

/** What the coordinator knows of the moment; the rest of the variables comes from the capsule. */
export interface PromptVariables {
  readonly workspace_name: string;
  /** `2026-11-21` */
  readonly today: string;
  readonly task_kind: string;
}

export interface SystemPromptParts {
  readonly capsule: Capsule;
  /** Those that the manifest names, in its order. */
  readonly skills: readonly Skill[];
  readonly variables: PromptVariables;
}

/** The variables that skills and overlays may use, as the documentation lists them. */
export const promptVariableNames = [
  'capsule_id',
  'capsule_name',
  'capsule_description',
  'workspace_name',
  'today',
  'task_kind',
  'tools',
] as const;

/** One piece of a system prompt, as the model gets it, its marks included. */
export interface PromptLayer {
  readonly kind: 'identity' | 'skill' | 'overlay';
  readonly id: string;
  /** Where it comes from. */
  readonly path: string;
  readonly text: string;
}

/**
 * The system prompt of a capsule: who it is, then its skills in the manifest's order, then its overlay, each layer
 * between marks, so that the model (and a reader of the log) sees where one ends.
 *
 * @throws AppError `TEMPLATE_INVALID`, naming the file.
 */
export const composeSystemPrompt = (parts: SystemPromptParts): string =>
  textOfLayers(promptLayers(parts));

export const textOfLayers = (layers: readonly PromptLayer[]): string =>
  layers.map(({ text }) => text).join('\n\n');

/** @throws AppError `TEMPLATE_INVALID`, naming the file. */
export function promptLayers({ capsule, skills, variables }: SystemPromptParts): PromptLayer[] {
  const { id, name, description } = capsule.manifest;
  const known = promptVariables(capsule, variables);
  const identity = `You are "${name}" (${id}), a capsule of Capstan. ${description}`;
  const layers: PromptLayer[] = [
    {
      kind: 'identity',
      id,
      path: join(capsule.dir, 'manifest.json'),
      text: `<identity>\n${defused(identity)}\n</identity>`,
    },
    ...skills.map((skill) => {
      const { body, path, bodyLine: line } = skill;
      return layer(
        'skill',
        skill,
        skill.isTemplate ? renderTemplate(body, known, { path, line }) : body,
      );
    }),
  ];
  const { overlay } = capsule;
  if (overlay !== undefined && overlay.text.trim() !== '') {
    const { path, text } = overlay;
    layers.push(layer('overlay', { id, path }, renderTemplate(text, known, { path })));
  }
  return layers;
}

/** What templates are filled in with. */
export function promptVariables(
  { manifest: { id, name, description, grants } }: Capsule,
  variables: PromptVariables,
): Record<(typeof promptVariableNames)[number], string | readonly string[]> {
  return {
    capsule_id: id,
    capsule_name: name,
    capsule_description: description,
    workspace_name: variables.workspace_name,
    today: variables.today,
    task_kind: variables.task_kind,
    tools: Object.keys(grants.tools),
  };
}

/** One layer between its marks; marks inside the text are defused, so that no layer can end another. */
function layer(
  kind: 'skill' | 'overlay',
  { id, path }: Pick<PromptLayer, 'id' | 'path'>,
  text: string,
): PromptLayer {
  return { kind, id, path, text: `<${kind} id="${id}">\n${defused(text.trim())}\n</${kind}>` };
}

const defused = (text: string): string =>
  text.replace(/<(\/?)(identity|skill|overlay)\b/g, '‹$1$2');
