import { join } from 'node:path';
import { grantsShell, type ToolGrant } from '../../contract/permissions/grant.ts';
import type { PromptSkill } from '../../contract/wire/coordinator-messages.ts';
import { oncePer } from '../../platform/once.ts';
import { grantsOperation } from '../../policy/grants/grants.ts';
import { ASK_PERSON } from '../../tools/ask-person.ts';
import { toolbox } from '../../tools/toolbox.ts';
import type { Capsule } from '../capsule-store.ts';
import type { Skill } from './skills.ts';
import { renderTemplate, type TemplatePlace, type TemplateVariables } from './template.ts';

/** Variables from the coordinator; the others come from the capsule. */
export interface PromptVariables {
  readonly workspace_name: string;
  /** `2026-11-21` */
  readonly today: string;
  readonly task_kind: string;
}

/** One layer of a system prompt as the model gets it, with its tags. */
export interface PromptLayer {
  readonly kind: 'identity' | 'skill' | 'overlay';
  readonly id: string;
  /** Where it comes from. */
  readonly path: string;
  readonly text: string;
}

/** The prompt of a capsule, and the sections of its skills that are read on demand. */
export interface ComposedPrompt {
  readonly systemPrompt: string;
  readonly skills: readonly PromptSkill[];
  readonly layers: readonly PromptLayer[];
}

/**
 * The system prompt of a capsule: its identity, its skills in the manifest's order, and its overlay, each layer in tags.
 * The sections of a skill are read on demand, except by a task kind with a single model call, which gets them at once.
 *
 * @throws AppError `TEMPLATE_INVALID`, naming the file.
 */
export function composePrompt({
  capsule,
  skills,
  variables,
  report,
}: {
  readonly capsule: Capsule;
  /** The skills that the manifest names, in its order. */
  readonly skills: readonly Skill[];
  readonly variables: PromptVariables;
  /** Receives each mistake in a template. Default: the first one is thrown. */
  readonly report?: TemplatePlace['report'];
}): ComposedPrompt {
  const { manifest, overlay } = capsule;
  const known = promptVariables(manifest, variables);
  const kind = manifest.task_kinds.find(({ name }) => name === variables.task_kind);
  const split = skills.map((skill) => {
    const { body, path, bodyLine: line, isTemplate } = skill;
    const text = isTemplate ? renderTemplate(body, known, { path, line, report }) : body;
    const whole = { shown: text, onDemand: undefined };
    return { skill, ...(kind?.mode === 'prompt' ? whole : splitSkill(skill, text)) };
  });
  const onDemand = split.flatMap((one) => one.onDemand ?? []);
  const layers = [
    identityLayer(capsule, onDemand.length > 0),
    ...split.map(({ skill, shown }) => layer('skill', skill, shown)),
  ];
  if (overlay && overlay.text.trim() !== '') {
    const { path, text } = overlay;
    const place = { id: manifest.id, path };
    layers.push(layer('overlay', place, renderTemplate(text, known, { path, report })));
  }
  return { systemPrompt: layers.map(({ text }) => text).join('\n\n'), skills: onDemand, layers };
}

const ON_DEMAND =
  'Each skill below lists its sections; `read_skill` gives their text. Read a section before you do what it covers.';

function identityLayer({ manifest, dir }: Capsule, hasSections: boolean): PromptLayer {
  const { id, name, description } = manifest;
  const identity = `You are "${name}" (${id}), a capsule of Capstan. ${description}`;
  const text = hasSections ? `${identity}\n${ON_DEMAND}` : identity;
  const path = join(dir, 'manifest.json');
  return { kind: 'identity', id, path, text: `<identity>\n${defused(text)}\n</identity>` };
}

const promptVariables = (
  { id, name, description, grants }: Capsule['manifest'],
  variables: PromptVariables,
): TemplateVariables => ({
  capsule_id: id,
  capsule_name: name,
  capsule_description: description,
  ...variables,
  tools: Object.keys(grants.tools),
  ...abilitiesOf(grants.tools),
});

/** One layer in its tags. Tags inside the text are escaped, so that a layer can't end another one. */
function layer(
  kind: 'skill' | 'overlay',
  { id, path }: Pick<PromptLayer, 'id' | 'path'>,
  text: string,
): PromptLayer {
  return { kind, id, path, text: `<${kind} id="${id}">\n${defused(text.trim())}\n</${kind}>` };
}

const defused = (text: string): string =>
  text.replace(/<(\/?)(identity|skill|overlay)\b/g, '‹$1$2');

/**
 * Variables for the parts of a text that need an ability: `can.file_io`, `can.file_io.write`, and by the other lists of a
 * grant `can.terminal.shell` (any command), `can.terminal.network` (hosts) and `can.python_exec.paths`.
 */
const abilitiesOf = oncePer((tools: Readonly<Record<string, ToolGrant>>) => {
  const abilities: Record<string, boolean> = {};
  for (const { name: tool, operations } of toolbox.values()) {
    if (tool === ASK_PERSON) continue;
    const grant = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
    const can = `can.${tool}`;
    abilities[can] = grant !== undefined;
    for (const operation of operations)
      abilities[`${can}.${operation}`] = grant !== undefined && grantsOperation(grant, operation);
    abilities[`${can}.shell`] = grant !== undefined && grantsShell(grant);
    abilities[`${can}.network`] = (grant?.hosts ?? []).length > 0;
    abilities[`${can}.paths`] = (grant?.paths ?? []).length > 0;
  }
  return abilities;
});

type Section = PromptSkill['sections'][number];

/** Longest introduction that a system prompt shows, in characters; the rest is read on demand. */
const MAX_INTRODUCTION = 800;
const MAX_LINE = 85;
const MAX_LISTED = 30;
const INTRODUCTION = 'Introduction';

/**
 * Splits a skill at its headings of the first and second level. A system prompt shows the introduction, if it is short, and
 * one line for each section: its heading and its first sentence. The rest is read on demand.
 */
function splitSkill(
  { id, description }: { readonly id: string; readonly description: string },
  text: string,
): { shown: string; onDemand: PromptSkill | undefined } {
  const [introduction, ...sections] = sectionsOf(text);
  const intro = introduction?.text.trim() ?? '';
  const isShort = intro.length <= MAX_INTRODUCTION;
  const listed = isShort ? sections : [{ heading: INTRODUCTION, text: intro }, ...sections];
  const lines = listed.slice(0, MAX_LISTED).map(lineOf);
  const first = isShort && intro !== '' ? intro : description;
  if (lines.length === 0) return { shown: first, onDemand: undefined };
  return { shown: `${first}\n${lines.join('\n')}`, onDemand: { id, sections: listed } };
}

/** The first section is the text before all headings except a title; its heading is empty. */
function sectionsOf(text: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let isCode = false;
  for (const line of text.replace(/^\s*#\s[^\n]*\n?/, '').split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const heading = isCode ? undefined : /^##?\s+(\S.*)/.exec(line)?.[1]?.trim();
    if (heading === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ heading, lines: [] });
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join('\n').trim() }))
    .filter(({ heading, text: body }) => heading === '' || body !== '');
}

/** `- Joins: A sum after a join counts a row once for each partner.` */
function lineOf({ heading, text }: Section): string {
  const sentence = firstSentence(text);
  return `- ${sentence === '' ? heading : `${heading}: ${sentence}`}`;
}

/** Of the first paragraph or list item; empty if the section begins with something else, or it is long. */
function firstSentence(text: string): string {
  const line = (text.split('\n', 1)[0] ?? '').replace(/^(?:[-*+]|\d+\.)\s+/, '');
  if (/^\s*(?:\||```|~~~|<|#)/.test(line)) return '';
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  if (sentence.length <= MAX_LINE) return sentence;
  const part = /^.*?(?=[:;](?:\s|$))/.exec(sentence)?.[0] ?? sentence;
  return part.length <= MAX_LINE ? `${part}.` : '';
}
