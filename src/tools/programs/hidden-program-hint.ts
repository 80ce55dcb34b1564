import { homedir } from 'node:os';
import { isInside } from '../files/paths.ts';
import { findHiddenProgram, type Sight } from './hidden-programs.ts';

/** A command that has ended. */
export interface Ended {
  readonly argv: readonly [string, ...string[]];
  /** Where it ran, absolute. */
  readonly folder: string;
  readonly stderr: string;
  readonly stdin?: string | undefined;
}

const MAX_NAMES = 20;

/** Says which program of the person a command did not find, or got another version of, and which setting opens its folder. */
export function hiddenProgramHint(ended: Ended, sight: Sight): string | undefined {
  const names = [...new Set([...startedBy(ended.argv), ...missedBy(ended)])];
  for (const name of names.slice(0, MAX_NAMES)) {
    const hidden = findHiddenProgram(name, ended.folder, sight);
    if (hidden === undefined) continue;
    const { path, folders } = hidden;
    return `Commands can't see "${shown(path)}", which "${name}" stands for outside the sandbox; if there is another one, that was used. To open it to commands, add ${folders.map(shown).join(' and ')} to the setting CAPSTAN_SANDBOX_READ.`;
  }
  return undefined;
}

/** Names of programs at the beginning of the commands of a line, where a shell is given one. */
function startedBy([program, ...args]: readonly [string, ...string[]]): readonly string[] {
  const line = /^(?:ba|da|z|k)?sh$/.test(program) && args[0] === '-c' ? args[1] : undefined;
  if (line === undefined) return [program];
  return line.split(/[\n;&|(){}`]+/).flatMap((command) => {
    const words = command.trim().split(/\s+/);
    const name = words.find((word) => !/^(\w+=.*|exec|env|time|then|do|else|!)$/.test(word));
    return name !== undefined && /^[\w./+@-]+$/.test(name) ? [name] : [];
  });
}

/** In the words of shells, env, make and Python. */
const missing = [
  /([\w./+@-]+)['’"]?: (?:command )?not found/g,
  /([\w./+@-]+)['’"]?: No such file or directory/g,
  /No such file or directory: '([^']+)'/g,
  /([\w./+@-]+): (?:cannot execute|[^:\n]+: bad interpreter)/g,
];

/** Names that a command says it did not find. Only words of the command itself: it may print any name. */
function missedBy({ argv, stdin = '', stderr }: Ended): readonly string[] {
  const words = new Set(`${argv.join(' ')} ${stdin}`.split(/\\[nrt]|[^\w./+@-]+/));
  return missing
    .flatMap((pattern) => [...stderr.matchAll(pattern)].map(([, name = '']) => name))
    .filter((name) => words.has(name));
}

/** With `~` for the home. */
const shown = (path: string): string =>
  isInside(homedir(), path) ? `~${path.slice(homedir().length)}` : path;
