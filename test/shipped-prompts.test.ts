import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolDescription } from '../src/contract/wire/chat.ts';
import { type Capsule, readCapsule } from '../src/registry/capsule-store.ts';
import { offeredTools } from '../src/registry/offered-tools.ts';
import { loadSkills } from '../src/registry/overlay/skills.ts';
import { composePrompt } from '../src/registry/overlay/system-prompt.ts';
import { finalTool } from '../src/runtime/capsule/loop/final-tool.ts';
import { readSkill, skillTools } from '../src/runtime/capsule/read-skill.ts';
import { toolbox } from '../src/tools/toolbox.ts';

const agents = join(import.meta.dirname, '../agents');
const { catalogue } = await loadSkills([{ dir: join(agents, 'skills') }]);
const capsules = readdirSync(agents)
  .filter((id) => existsSync(join(agents, id, 'manifest.json')))
  .map((id) => readCapsule(join(agents, id), 'shipped'));

/** Capsules that people may make of the shipped skills: each skill with the least that it works with. */
const narrowed = (id: string, tools: Capsule['manifest']['grants']['tools']): Capsule => {
  const [first = expect.fail()] = capsules;
  const manifest = { ...first.manifest, id: `only-${id}`, skills: [id] };
  return {
    ...first,
    overlay: undefined,
    manifest: { ...manifest, grants: { tools, services: [] } },
  };
};
const least = [
  narrowed('file_system', { file_io: { operations: ['read'], paths: ['**'] } }),
  narrowed('file_system', { file_io: { operations: ['list', 'edit'], paths: ['**'] } }),
  narrowed('terminal', { terminal: { commands: ['git log **'], operations: ['read'] } }),
  narrowed('git', { terminal: { commands: ['git **'] } }),
  narrowed('python_scripting', { python_exec: { operations: ['read'] } }),
  narrowed('sql_databases', { sql_query: { operations: ['read'], paths: ['**'] } }),
  narrowed('data_analysis', { sql_query: { operations: ['read'], paths: ['**'] } }),
  narrowed('web_http', { web_fetch: { hosts: ['*'] } }),
  narrowed('web_http', { http_api: { operations: ['GET'], hosts: ['*'] } }),
];

const prompts = [...capsules, ...least].flatMap((capsule) =>
  capsule.manifest.task_kinds.map(({ name, mode }) => {
    const skills = capsule.manifest.skills.map((id) => catalogue.get(id, ''));
    const variables = { workspace_name: 'work', today: '2026-11-21', task_kind: name };
    const prompt = composePrompt({ capsule, skills, variables });
    const { skills: onDemand } = prompt;
    const config = { skills: [...onDemand] };
    const tools = [
      ...offeredTools(capsule.manifest, mode, toolbox.values()),
      ...skillTools(config),
      finalTool,
    ];
    const sections = onDemand.map(({ id }) => readSkill(config, { skill: id }));
    const text = [prompt.systemPrompt, ...sections].join('\n');
    return {
      title: `${capsule.id} (${capsule.manifest.id}), ${name}`,
      capsule,
      prompt,
      tools,
      text,
    };
  }),
);

const operationsOf = (tool: string): readonly string[] => toolbox.get(tool)?.operations ?? [];

/** The argument of a tool that names an operation, with its value: `access write`. */
function argumentOf(tool: string, operation: string): string {
  if (tool === 'file_io') return `operation ${operation}`;
  if (tool === 'http_api' || tool === 'web_fetch') return `method ${operation}`;
  return `access ${operation === 'change' ? 'write' : operation}`;
}

/** Arguments of a tool in its whole schema, and those that are offered. */
const propertiesOf = ({ parameters }: Pick<ToolDescription, 'parameters'>): string[] =>
  Object.keys((parameters['properties'] ?? {}) as object);

/**
 * Code words of a text: `edit`, `access: "write"`, {"operation": "read"}; negated sentences name what does not exist.
 */
function codeOf(text: string): string {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
  const blocks = [...text.matchAll(/```(?:json)?\n([\s\S]*?)```/g)].map(([, code]) => code);
  return [...spans, ...blocks].join('\n');
}

describe.each(prompts)('the prompt of $title', ({ capsule, prompt, tools, text }) => {
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  const whole = `${text}\n${JSON.stringify(tools)}`;

  it('names no tool that the capsule lacks', () => {
    const lacking = [...toolbox.keys()].filter((name) => !offered.has(name));
    const marked = lacking.filter((name) =>
      new RegExp(name.includes('_') ? `\\b${name}\\b` : `\`${name}\``).test(whole),
    );
    expect(marked).toEqual([]);
  });

  it('names no operation that the capsule lacks', () => {
    const grants = Object.entries(capsule.manifest.grants.tools);
    const all = grants.flatMap(([tool]) =>
      operationsOf(tool).map((name) => argumentOf(tool, name)),
    );
    const can = grants.flatMap(([tool, { operations = operationsOf(tool) }]) =>
      operations.map((name) => argumentOf(tool, name)),
    );
    const code = codeOf(text);
    const named = all
      .filter((value) => !can.includes(value))
      .filter((value) => {
        const [field = '', name = ''] = value.split(' ');
        const isWord = field !== 'access' && new RegExp(`^${name}$`, 'm').test(code);
        return isWord || new RegExp(`"?${field}"?: ?"${name}"`).test(code);
      });
    expect(named).toEqual([]);
  });

  it('names no argument that the capsule lacks', () => {
    const has = new Set([...offered.values()].flatMap(propertiesOf));
    const lacking = [...toolbox.values()].flatMap(propertiesOf).filter((name) => !has.has(name));
    // Names that are plain words are arguments only with a value.
    const code = codeOf(text);
    const named = lacking.filter((name) =>
      new RegExp(name.includes('_') ? `\\b${name}\\b` : `^${name}:|"${name}":`, 'm').test(code),
    );
    expect(named).toEqual([]);
  });

  it('has no open template and no empty section', () => {
    expect(whole).not.toMatch(/\{\{#if|\{\{\/if/);
    for (const { sections } of prompt.skills)
      for (const { text: body } of sections) expect(body).not.toBe('');
  });

  it('costs at most 2,500 tokens with its tools', () => {
    const bytes = Buffer.byteLength(prompt.systemPrompt) + Buffer.byteLength(JSON.stringify(tools));
    expect(Math.ceil(bytes / 4)).toBeLessThanOrEqual(2_500);
  });
});

it('every skill is used by a shipped capsule', () => {
  const used = new Set(capsules.flatMap(({ manifest }) => manifest.skills));
  expect(
    catalogue
      .list()
      .map(({ id }) => id)
      .filter((id) => !used.has(id)),
  ).toEqual([]);
});
