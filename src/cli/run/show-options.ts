import { resolve } from 'node:path';
import { usage } from '../../contract/usage.ts';
import type { CommandIo, CommandOptions } from '../command.ts';
import { assertWritable } from '../io/write-file-atomic.ts';
import { logLevels } from '../options/log-level.ts';
import { choiceOption, numberOption, standard, textOption } from '../options/standard-options.ts';

/** The options of commands that show one run. */
export const showOptions = {
  ...standard.json,
  '--jsonl': 'print one event per line as they happen, then the document',
  ...standard.quiet,
  '--plain': 'print whole sentences and redraw nothing (for screen readers)',
  '--log-level <level>': 'error, warn, info (default) or debug',
  '--wait <seconds>': 'before parking, wait this long for an answer from another process',
  '--junit <file>': 'write a JUnit report, one case per subtask',
} as const satisfies CommandOptions;

/** How a run is shown. */
export type ShowOptions = ReturnType<typeof showOptionsOf>;

/** @throws AppError `USAGE`. */
export function showOptionsOf(
  options: Readonly<Record<string, unknown>>,
  io: Pick<CommandIo, 'environment' | 'isTerminal' | 'cwd'>,
) {
  const [isJson, isJsonl] = [options['json'] === true, options['jsonl'] === true];
  if (isJsonl && isJson) throw usage('Use --json or --jsonl, not both.');
  const asJson = isJson ? ('json' as const) : ('text' as const);
  return {
    /** `json`: one document and no questions. `jsonl`: its events before it. */
    format: isJsonl ? ('jsonl' as const) : asJson,
    /** No progress. */
    isQuiet: options['quiet'] === true,
    /** Whole sentences, nothing redrawn. */
    isPlain: options['plain'] === true || isPlainTerminal(io),
    /** Default: the setting. */
    logLevel: choiceOption('--log-level', options['logLevel'], logLevels),
    /** How long a question waits for an answer from elsewhere before the run parks, in milliseconds. */
    waitMs: (numberOption('--wait', options['wait'], WAIT) ?? 0) * 1_000,
    /** Absolute path of the JUnit report. */
    junit: reportPath(textOption(options['junit']), io.cwd),
  };
}

/** Absolute. @throws AppError `USAGE` if no file can be written there. */
function reportPath(given: string | undefined, cwd: string): string | undefined {
  if (given === undefined) return undefined;
  if (given === '') throw usage('--junit is empty; it must be a file.');
  const path = resolve(cwd, given);
  assertWritable(path);
  return path;
}

/** Whether nothing may be redrawn at this terminal. */
export const isPlainTerminal = (io: Pick<CommandIo, 'environment' | 'isTerminal'>): boolean =>
  io.environment['CAPSTAN_PLAIN'] === '1' || (io.isTerminal && io.environment['TERM'] === 'dumb');

/** At most a day: longer than any job waits. */
const WAIT = { min: 0, max: 86_400, what: 'a number of seconds' };
