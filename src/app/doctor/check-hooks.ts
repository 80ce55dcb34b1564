import { accessSync, constants, statSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { type HookText, readHooksFile } from '../../config/files/hooks-file.ts';
import { messageOf } from '../../contract/errors.ts';
import { type Check, checksOf } from './check.ts';

const { ok, fail } = checksOf('settings');

/** The user's hooks: the file, and the programs and scripts that it names. */
export async function checkHooks(configDir: string): Promise<readonly Check[]> {
  try {
    const problems = (await readHooksFile(configDir)).flatMap(problemsOf);
    if (problems.length === 0) return [ok('hooks', 'valid')];
    return problems.map((problem) => fail('hooks', problem, 'Correct the path in hooks.yaml.'));
  } catch (error) {
    return [fail('hooks', messageOf(error), 'Correct each value.')];
  }
}

function problemsOf({ id, mode, command, module }: HookText): readonly string[] {
  const [program, ...words] = command ?? [];
  const script = INTERPRETER.test(basename(program ?? ''))
    ? words.find((word) => !word.startsWith('-'))
    : undefined;
  const scripts = [module, script].filter((path) => path !== undefined && isAbsolute(path));
  const effect = mode === 'enforce' ? 'everything that it is asked about is denied' : 'it fails';
  return [
    ...(program === undefined || isProgram(program) ? [] : [`${program} can't be executed`]),
    ...scripts.filter((path) => !isFile(path)).map((path) => `there is no file ${path}`),
  ].map((problem) => `The hook "${id}": ${problem}, so ${effect}.`);
}

/** Programs that run a script: their first argument that is not an option. */
const INTERPRETER = /^(?:node|deno|bun|python[\d.]*|(?:ba|da|z)?sh|ruby|perl|php)$/;

const isFile = (path: string | undefined): boolean =>
  path !== undefined && statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}
