import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Manifest } from '../src/registry/manifest/manifest.ts';
import { toolbox } from '../src/tools/toolbox.ts';

const agents = join(import.meta.dirname, '../agents');
const ids = readdirSync(agents).filter((id) => existsSync(join(agents, id, 'manifest.json')));
const skills = readdirSync(join(agents, 'skills')).map((name) => name.replace(/\.md$/, ''));
const variables = new Set(
  'capsule_name capsule_id capsule_description workspace_name today task_kind tools'.split(' '),
);

/** What they do has no fixed rules. */
const needsModel = new Set(['developer', 'database-editor']);

/** Names of the variables of a template; those of abilities are checked by the test of the composed prompts. */
const variablesOf = (template: string) =>
  [...template.matchAll(/\{\{(?:#if )?(\w+)\}\}/g)].map(([, name]) => name ?? '');

describe.each(ids)('the shipped capsule %s', (id) => {
  const manifest = Manifest.parse(
    JSON.parse(readFileSync(join(agents, id, 'manifest.json'), 'utf8')),
  );

  it('is named after its folder, and says what it does with at least five examples a kind', () => {
    expect(manifest.id).toBe(id);
    for (const { examples } of manifest.task_kinds)
      expect(examples.length).toBeGreaterThanOrEqual(5);
  });

  it('has a kind for a model first, and one without a model if its work has fixed rules', () => {
    expect(manifest.task_kinds[0]?.mode).not.toBe('handler');
    const hasHandler = manifest.task_kinds.some(({ mode }) => mode === 'handler');
    expect(hasHandler).toBe(!needsModel.has(id));
  });

  it('names only existing tools and skills', () => {
    for (const tool of Object.keys(manifest.grants.tools)) expect(toolbox.has(tool)).toBe(true);
    for (const skill of manifest.skills) expect(skills).toContain(skill);
  });

  it('uses only variables that prompts have', () => {
    const overlay = readFileSync(join(agents, id, 'skill.md'), 'utf8');
    expect(variablesOf(overlay).filter((name) => !variables.has(name))).toEqual([]);
  });
});

describe('the base skills', () => {
  it('are these seven at least', () => {
    for (const id of [
      'terminal',
      'python_scripting',
      'git',
      'file_system',
      'web_http',
      'sql_databases',
      'data_analysis',
    ]) {
      expect(skills).toContain(id);
    }
  });

  it.each(skills)('%s is useful and no longer than needed', (id) => {
    const text = readFileSync(join(agents, 'skills', `${id}.md`), 'utf8');
    const lines = text.split('\n').length;
    expect(text.match(/^## /gm)?.length).toBeGreaterThanOrEqual(4);
    expect(lines).toBeLessThanOrEqual(120);
    expect(variablesOf(text).filter((name) => !variables.has(name))).toEqual([]);
  });
});
