import { AppError, type ErrorCode, type ErrorDetails, failedWith } from '../../contract/errors.ts';
import { escapeText } from '../../contract/text/escape-text.ts';
import type { CommandIo } from '../command.ts';
import { symbolsFor } from '../menu/terminal/symbols.ts';
import { shortId, withShortIds } from '../text/short-id.ts';
import { createStyle } from '../text/style.ts';
import { errorMessage, nextOf } from './error-document.ts';
import { commandLinesOf } from './next-command.ts';

type ErrorIo = Pick<CommandIo, 'stderr'> & Partial<Pick<CommandIo, 'environment' | 'isTerminal'>>;

/** Prints a failure on stderr: its message, then the command lines to type next. Default: those that the error names. */
export function printError(
  { stderr, environment = {}, isTerminal = false }: ErrorIo,
  error: unknown,
  tries: readonly string[] = triesOf(error),
): void {
  const { red } = createStyle(environment, isTerminal);
  const message = escapeText(withShortIds(errorMessage(error)), true);
  const lines = tries.map((line, at) => `  ${at === 0 ? 'Try: ' : '     '}${escapeText(line)}\n`);
  stderr(`${red(symbolsFor(environment).failed)} ${message}\n${lines.join('')}`);
}

/** The commands to try after an error, never none: its next steps, else those for its code, or the help of `path`. */
export function triesOf(error: unknown, path = 'capstan'): readonly string[] {
  const named = nextOf(error).flatMap(commandLinesOf);
  if (named.length > 0) return named;
  if (!(error instanceof AppError)) return ['capstan doctor'];
  const meant = failedWith(error, 'USAGE') ? error.details.id : undefined;
  if (meant !== undefined && path !== 'capstan') return [`${path} ${shortId(meant)}`];
  if (error.code === 'USAGE' || isAboutOptions(error)) return [`${path} --help`];
  const line = triesByCode[error.code as ErrorCode] as ((details: unknown) => string) | undefined;
  return [line ? line(error.details) : 'capstan runs list --all'];
}

/** Whether every wrong setting was given on the command line. */
function isAboutOptions(error: unknown): boolean {
  const found = failedWith(error, 'SETTINGS_INVALID') ? (error.details.found ?? []) : [];
  return found.length > 0 && found.every(({ option }) => option !== undefined);
}

type Lines = { readonly [C in ErrorCode]?: (details: ErrorDetails<C>) => string };

const doctor = () => 'capstan doctor';
const inspect = ({ capsule = '<capsule>' }: { capsule?: string }) =>
  `capstan capsules inspect ${capsule}`;

/** By code: a command line, for errors whose next steps do not depend on what happened. Others: the list of runs. */
const triesByCode: Lines = {
  SETTINGS_INVALID: doctor,
  CAPSTAN_CLOSED: doctor,
  DATABASE_NEWER: doctor,
  ISOLATION_REFUSED: doctor,
  EMBEDDER_UNAVAILABLE: ({ isDownloadable }) =>
    isDownloadable === true ? 'capstan models pull minilm' : 'capstan doctor',
  CAPSULE_TIMED_OUT: inspect,
  CAPSULE_SPOKE_NONSENSE: inspect,
  CAPSULE_FELL_SILENT: inspect,
  CAPSULE_NOT_ISOLATED: () => 'capstan doctor --isolation',
  CAPSULE_NOT_STARTED: inspect,
  CAPSULE_DIVERGED: inspect,
  CAPSULE_UNKNOWN: ({ isUntrusted }) =>
    isUntrusted === true ? 'capstan config trust' : 'capstan capsules list',
  SKILL_UNKNOWN: () => 'capstan config trust',
  OVERLAY_UNKNOWN: inspect,
  OVERLAY_CHANGED: inspect,
  CASE_INVALID: () => 'capstan capsules check <dir>',
  NO_CAPSULE_FITS: () => 'capstan capsules list',
  SESSION_UNKNOWN: () => 'capstan sessions list',
  NO_SESSION: () => 'capstan run "<task>"',
  NO_RUN_PARKED: () => 'capstan runs list --all',
  PLAN_INVALID: () => 'capstan runs show last',
  RUN_UNREADABLE: ({ id }) => `capstan runs show ${id}`,
  RUN_NOT_REPLAYABLE: ({ id }) => `capstan runs show ${id}`,
  RECORDING_INVALID: () => 'capstan runs export <run>',
  REPLAY_DIVERGED: () => 'capstan capsules list',
  RUN_PARKED: () => 'capstan approvals list',
  PROVIDER_FAILED: () => 'capstan models check',
  MODEL_ANSWER_INVALID: () => 'capstan models list',
  SERVICE_UNKNOWN: () => 'capstan config show',
  APPROVAL_CLOSED: ({ id }) => `capstan approvals show ${id}`,
  APPROVAL_CHOICE: ({ id }) => `capstan approvals show ${id}`,
};
