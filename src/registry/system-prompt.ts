import type { Capsule } from './capsule-store.ts';
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

/**
 * The system prompt of a capsule: who it is, then its skills in the manifest's order, then its overlay, each layer
 * between marks, so that the model (and a reader of the log) sees where one ends.
 *
 * @throws AppError `TEMPLATE_INVALID`, naming the file.
 */
export function composeSystemPrompt({ capsule, skills, variables }: SystemPromptParts): string {
  const { id, name, description, grants } = capsule.manifest;
  const known: Record<(typeof promptVariableNames)[number], string | readonly string[]> = {
    capsule_id: id,
    capsule_name: name,
    capsule_description: description,
    workspace_name: variables.workspace_name,
    today: variables.today,
    task_kind: variables.task_kind,
    tools: Object.keys(grants.tools),
  };
  const layers = [
    `<identity>\nYou are "${name}" (${id}), a capsule of Capstan. ${description}\n</identity>`,
    ...skills.map((skill) =>
      layer('skill', skill.id, renderTemplate(skill.body, known, skill.path)),
    ),
  ];
  const { overlay } = capsule;
  if (overlay !== undefined && overlay.text.trim() !== '') {
    layers.push(layer('overlay', id, renderTemplate(overlay.text, known, overlay.path)));
  }
  return layers.join('\n\n');
}

/** One layer between its marks; a mark inside the text is defused, so that no layer can end another. */
function layer(kind: 'skill' | 'overlay', id: string, text: string): string {
  const inside = text.trim().replace(/<(\/?)(identity|skill|overlay)\b/g, '‹$1$2');
  return `<${kind} id="${id}">\n${inside}\n</${kind}>`;
}
