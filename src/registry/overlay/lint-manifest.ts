import { basename, posix } from 'node:path';
import type { ToolGrant } from '../../contract/permissions/grant.ts';
import { didYouMean } from '../../contract/text/closest.ts';
import { printable } from '../../contract/text/printable.ts';
import { toolbox } from '../../tools/toolbox.ts';
import type { Capsule } from '../capsule-store.ts';
import { type Finding, fault, warning } from '../finding.ts';
import type { LineOf } from '../manifest/json-lines.ts';
import type { Skill } from './skills.ts';

export interface LintContext {
  readonly capsule: Capsule;
  /** All skills. */
  readonly skills: readonly Skill[];
  /** Names of all tools. */
  readonly tools: readonly string[];
}

/** Findings about a valid manifest. @param path Of the manifest. */
export function lintManifest(context: LintContext, path: string, lineOf: LineOf): Finding[] {
  const { capsule, tools } = context;
  const { dir, manifest } = capsule;
  const at = (...place: (string | number)[]) => `${path}:${lineOf(place)}`;
  const unknownTools = Object.keys(manifest.grants.tools)
    .filter((tool) => !tools.includes(tool))
    .map((tool) => {
      const where = at('grants', 'tools', tool);
      return fault('manifest.tool', where, `there is no tool "${tool}"`, didYouMean(tool, tools));
    });
  const unusable = Object.entries(manifest.grants.tools).flatMap(([tool, grant]) =>
    lintGrant(tool, grant, (...place) => at('grants', 'tools', tool, ...place)),
  );
  const withoutExamples = manifest.task_kinds.flatMap(({ name, examples }, index) => {
    const problem = `the task kind "${name}" has no examples, and tasks are found by them`;
    const fix = 'Add some, in the words of a user.';
    const where = at('task_kinds', index);
    return examples.length > 0 ? [] : [warning('manifest.examples', where, problem, fix)];
  });
  return [
    ...lintFolder(dir, manifest.id, at('id')),
    ...unknownTools,
    ...unusable,
    ...manifest.skills.flatMap((id, index) => lintSkill(id, at('skills', index), context)),
    ...withoutExamples,
  ];
}

/** Operations that the tool does not have, and patterns that no path in a workspace matches. */
function lintGrant(
  tool: string,
  { operations = [], paths = [] }: ToolGrant,
  at: (list: string, index: number) => string,
): Finding[] {
  const known = toolbox.get(tool)?.operations;
  return [
    ...operations.flatMap((one, index) => {
      const short = one.startsWith(`${tool}.`) ? one.slice(tool.length + 1) : one;
      if (known?.includes(short) ?? true) return [];
      const problem = `${tool} has no operation "${one}"`;
      const where = at('operations', index);
      return fault('manifest.operation', where, problem, didYouMean(short, known ?? []));
    }),
    ...paths.flatMap((pattern, index) => {
      if (!/^(?:\/|~\/|~$|\.\.(?:\/|$))/.test(posix.normalize(pattern.replace(/^!/, ''))))
        return [];
      const problem = `"${pattern}" leads out of the workspace, so it grants nothing`;
      const fix = 'Write patterns relative to the workspace: `**`, `reports/*.md`.';
      return fault('manifest.path', at('paths', index), problem, fix);
    }),
  ];
}

function lintFolder(dir: string, id: string, where: string): Finding[] {
  const name = basename(dir);
  if (name === id) return [];
  const problem = `the folder is called "${name}": a run finds the capsule only where it is called "${id}"`;
  return [warning('manifest.folder', where, problem, 'Rename it before it is used.')];
}

function lintSkill(id: string, where: string, { capsule, skills, tools }: LintContext): Finding[] {
  const skill = skills.find((one) => one.id === id);
  if (!skill) {
    const known = skills.map((one) => one.id);
    return [fault('manifest.skill', where, `there is no skill "${id}"`, didYouMean(id, known))];
  }
  const misnamed = lintSkillFolder(skill);
  // A skill may name tools of other programs, too.
  const works = skill.tools.filter((tool) => tools.includes(tool));
  const granted = capsule.manifest.grants.tools;
  if (works.length === 0 || works.some((tool) => Object.hasOwn(granted, tool))) return misnamed;
  const problem = `the skill "${id}" works with ${works.join(', ')}, and none of them is granted`;
  const fix = 'Grant one in grants.tools, or leave the skill out.';
  return [...misnamed, warning('manifest.grant', where, problem, fix)];
}

/** The Agent Skills standard names the folder as the skill. */
function lintSkillFolder({ id, name, path, isTemplate }: Skill): Finding[] {
  if (isTemplate || name === id) return [];
  const problem = `its name is "${printable(name)}", and its folder is called "${id}"`;
  return [warning('skill.name', path, problem, 'Make them the same.')];
}
