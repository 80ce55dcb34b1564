import type { CommandIo } from '../src/cli/command.ts';

/** A command's surroundings that remember what it wrote. Nobody is there to answer, unless the changes say so. */
export interface RecordedIo extends CommandIo {
  out(): string;
  errors(): string;
}

export function ioOf(
  context: Pick<CommandIo, 'environment' | 'cwd'>,
  changes: Partial<CommandIo> = {},
): RecordedIo {
  let out = '';
  let errors = '';
  return {
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      errors += text;
    },
    isTerminal: false,
    ...context,
    ...changes,
    out: () => out,
    errors: () => errors,
  };
}
