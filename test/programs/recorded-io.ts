import type { CommandIo } from '../../src/cli/command.ts';

/** The context of a command that records its output. Nobody can answer, unless the changes say so. */
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
