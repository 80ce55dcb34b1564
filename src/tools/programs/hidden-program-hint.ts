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
const MAX_NAME_CHARS = 4_096;

/** Names a program of the person that a command can't see, and the setting that opens its folder. */
export function hiddenProgramHint(ended: Ended, sight: Sight): string | undefined {
  const names = [...new Set([...startedBy(ended.argv), ...missedBy(ended)])];
  const short = names.filter(({ length }) => length <= MAX_NAME_CHARS);
  for (const name of short.slice(0, MAX_NAMES)) {
    const hidden = findHiddenProgram(name, ended.folder, sight);
    if (hidden === undefined) continue;
    const { path, folders } = hidden;
    return `Commands can't see "${shown(path)}", which "${name}" stands for outside the sandbox; if there is another one, that was used. To open it to commands, add ${folders.map(shown).join(' and ')} to the setting CAPSTAN_SANDBOX_READ.`;
  }
  return undefined;
}

/** The programs that a command starts; for a shell, those of its command line. */
function startedBy([program, ...args]: readonly [string, ...string[]]): readonly string[] {
  const line = /^(?:ba|da|z|k)?sh$/.test(program) && args[0] === '-c' ? args[1] : undefined;
  if (line === undefined) return [program];
  return line.split(/[\n;&|(){}`]+/).flatMap((command) => {
    const words = command.trim().split(/\s+/);
    const name = words.find((word) => !/^(\w+=.*|exec|env|time|then|do|else|!)$/.test(word));
    return name !== undefined && /^[\w./+@-]+$/.test(name) ? [name] : [];
  });
}

/**
 * The messages of shells, env, make and Python about a missing program. A name is matched only from its start: with one long
 * word as output, anything else takes minutes.
 */
const missing = [
  /(?<![\w./+@-])([\w./+@-]+)['’"]?: (?:command )?not found/g,
  /(?<![\w./+@-])([\w./+@-]+)['’"]?: No such file or directory/g,
  /No such file or directory: '([^']+)'/g,
  /(?<![\w./+@-])([\w./+@-]+): (?:cannot execute|[^:\n]+: bad interpreter)/g,
];

/** The programs that the output reports as missing. Only words of the command count: it may print any name. */
function missedBy({ argv, stdin = '', stderr }: Ended): readonly string[] {
  const words = new Set(`${argv.join(' ')} ${stdin}`.split(/\\[nrt]|[^\w./+@-]+/));
  return missing
    .flatMap((pattern) => [...stderr.matchAll(pattern)].map(([, name = '']) => name))
    .filter((name) => words.has(name));
}

/** With `~` for the home. */
const shown = (path: string): string =>
  isInside(homedir(), path) ? `~${path.slice(homedir().length)}` : path;
