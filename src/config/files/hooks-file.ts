import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { nameGlobProblem } from '../../platform/globs/glob-tokens.ts';
import { once } from '../../platform/once.ts';
import { settingsInvalid } from '../read/given.ts';
import { readStrictYaml } from '../yaml/strict-yaml.ts';
import { hookPoints } from './hook-points.ts';

const form = once(() => {
  const nameGlob = z
    .string('write a name or a glob')
    .max(200, 'at most 200 characters')
    .regex(
      /^!?[\w*?{},.[\]-]+$/,
      'write a name, or a glob of letters, digits, _, - and . such as "file_{io,list}", with "!" in front for all others',
    )
    .superRefine((value, { addIssue }) => {
      const problem = nameGlobProblem(value);
      if (problem !== undefined) addIssue(problem);
    });

  const globs = z.array(nameGlob).min(1, 'leave it out, or name at least one').max(50).optional();

  const absolute = z
    .string('write an absolute path')
    .max(4_096, 'at most 4096 characters')
    .regex(/^\//, 'write an absolute path, such as /home/me/hooks.mjs');

  const Hook = z
    .strictObject(
      {
        id: z
          .string('write a short name')
          .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'write lower-case letters, digits, - and _'),
        on: z
          .array(z.enum(hookPoints, `write some of ${hookPoints.join(', ')}`))
          .min(1, 'name at least one point'),
        mode: z.enum(['enforce', 'observe'], 'write enforce or observe').default('enforce'),
        command: z.tuple([absolute], z.string('write an argument').max(10_000)).optional(),
        module: absolute.optional(),
        timeout_ms: z
          .int('write a number of milliseconds')
          .min(10, 'at least 10')
          .max(120_000, 'at most 120000')
          .default(5_000),
        tools: globs,
        operations: globs,
        capsules: globs,
      },
      'write id, on, and command or module',
    )
    .refine(({ command, module }) => (command === undefined) !== (module === undefined), {
      message: 'write either command (program and arguments) or module (a file)',
    });

  const File = z.strictObject({ hooks: z.array(Hook).max(50) }, 'write hooks:');
  const fields = ['hooks', ...Object.keys(Hook.shape)];
  return { schema: File, fields, page: 'docs/hooks.md' };
});

export type HookText = z.output<ReturnType<typeof form>['schema']>['hooks'][number];

/**
 * The hooks of the person's `hooks.yaml` in the settings folder, if there is one. Projects can't add hooks.
 *
 * @throws AppError `SETTINGS_INVALID` with file, line, field, value and fix of each problem.
 */
export async function readHooksFile(configDir: string): Promise<readonly HookText[]> {
  const path = join(configDir, 'hooks.yaml');
  const parsed = await readStrictYaml(path, form);
  if (parsed === undefined) return [];
  if ((statSync(path).mode & 0o022) !== 0) {
    const problem = `others may write it, and its programs run with your permissions. Type: chmod go-w ${path}`;
    throw settingsInvalid([{ where: path, problem }]);
  }
  const ids = parsed.value.hooks.map(({ id }) => id);
  const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at);
  if (twice >= 0) {
    const problem = `"${ids[twice]}": another hook has this id. Give each its own.`;
    throw settingsInvalid([{ where: parsed.placeOf(['hooks', twice, 'id']), problem }]);
  }
  return parsed.value.hooks;
}
