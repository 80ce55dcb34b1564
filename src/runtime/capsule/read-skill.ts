import type { ToolDescription } from '../../contract/wire/chat.ts';
import type { CoordinatorRequest, PromptSkill } from '../../contract/wire/coordinator-messages.ts';

type Config = Pick<CoordinatorRequest['config'], 'skills'>;

export const READ_SKILL = 'read_skill';

/** Longest answer, in characters; a longer skill is read by its sections. */
const MAX_CHARS = 16_000;

/** The tool that reads skills on demand. Built in: answered from the request. */
export function skillTools({ skills = [] }: Config): ToolDescription[] {
  if (skills.length === 0) return [];
  const ids = skills.map(({ id }) => id);
  return [
    {
      name: READ_SKILL,
      description: 'Returns the text of a skill: one section, or all. Needs no permission.',
      parameters: {
        type: 'object',
        properties: {
          skill: { type: 'string', enum: ids },
          section: { type: 'string', description: 'Its heading. Default: all sections.' },
        },
        required: ['skill'],
        additionalProperties: false,
      },
    },
  ];
}

/** The requested text, or a sentence that lists the available skills or sections. */
export function readSkill({ skills = [] }: Config, args: Record<string, unknown>): string {
  const { skill: id, section } = args;
  const skill = skills.find((one) => one.id === id);
  if (!skill)
    return `There is no skill ${quoted(id)}. There are: ${skills.map((one) => one.id).join(', ')}.`;
  const sections = section === undefined ? skill.sections : findSections(skill, String(section));
  if (sections.length === 0) {
    return `"${skill.id}" has no section ${quoted(section)}. It has: ${headingsOf(skill)}.`;
  }
  const text = sections.map((one) => `## ${one.heading}\n\n${one.text}`).join('\n\n');
  if (text.length <= MAX_CHARS) return text;
  return `${text.slice(0, MAX_CHARS)}\n[cut: ${MAX_CHARS} of ${text.length} characters. Sections: ${headingsOf(skill)}]`;
}

/** Matches the whole heading, else a part of it. */
function findSections({ sections }: PromptSkill, wanted: string): PromptSkill['sections'] {
  const name = wanted
    .replace(/^#+\s*/, '')
    .trim()
    .toLowerCase();
  const exact = sections.filter(({ heading }) => heading.toLowerCase() === name);
  if (exact.length > 0 || name === '') return exact;
  return sections.filter(({ heading }) => heading.toLowerCase().includes(name));
}

const headingsOf = ({ sections }: PromptSkill): string =>
  sections.map(({ heading }) => heading).join('; ');

const quoted = (value: unknown): string => JSON.stringify(String(value).slice(0, 100));
