import { randomUUID } from 'node:crypto';
import { AppError } from '../../contract/errors.ts';
import type { Argv } from '../../runtime/sandbox/sandbox.ts';
import type { ToolCall } from '../define/call.ts';
import { namedPlaces, namesUnreachable, type PlaceContext, removedPlaces } from './named-places.ts';
import { personalCommandsIn } from './personal-commands.ts';
import { privatePlaces, privatePlacesHint } from './private-places.ts';

/** The output of a process, and how it ended. */
interface Ended {
  readonly exit_code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly stderr_bytes: number;
}

/** Only so much of a command and of a task is examined. */
const MAX_TEXT_CHARS = 100_000;
const MAX_TAIL_CHARS = 2_000;
const MAX_PLACES = 5;

/** Detects whether a process changed a private folder on purpose. The change is discarded, so the call must fail. */
export function guardPlaces(
  {
    argv,
    stdin = '',
    folder,
  }: { readonly argv: Argv; readonly stdin?: string | undefined; readonly folder: string },
  { tool, context }: ToolCall,
) {
  const { level } = context.sandbox;
  const command = `${argv.join(' ')}\n${stdin}`.slice(0, MAX_TEXT_CHARS);
  const { workspace, task = '' } = context;
  const about = { level, workspace, folder, task: task.slice(0, MAX_TEXT_CHARS) };
  const request: PlacesRequest = { command, ...about };
  const places = watchedPlaces(request);
  const isWatched = places.length > 0 && process.platform !== 'win32';
  const watch = isWatched ? watchPlaces(argv, places) : undefined;
  const isNamed = namedPlaces(command, request).length > 0;
  const isOutside = level !== 'none' && namesUnreachable(command, workspace);
  return {
    /** What to start in place of the program: it reports what it left in private folders. */
    argv: watch?.argv ?? argv,
    /** @throws AppError `WRITES_DISCARDED`, `HOME_DISCARDED` if it changed a private folder on purpose. */
    check<Result extends Ended>(
      raw: Result,
    ): Result & { readonly private_places: readonly string[]; readonly hint?: string } {
      const { made, ...own } = watch?.read(raw.stderr) ?? { made: [], stderr: raw.stderr };
      const stderrBytes =
        raw.stderr_bytes - (Buffer.byteLength(raw.stderr) - Buffer.byteLength(own.stderr));
      const result = { ...raw, ...own, stderr_bytes: stderrBytes };
      const isSuccess = result.exit_code === 0;
      const discarded = discardedPlaces(request, { made, isSuccess });
      if (discarded.length > 0) throw discardFailure(tool, discarded, result);
      const hint = isNamed || (isOutside && !isSuccess) ? { hint: privatePlacesHint(level) } : {};
      return { ...result, private_places: privatePlaces(level), ...hint };
    },
  };
}

function discardFailure(
  tool: string,
  discarded: readonly string[],
  { exit_code: exitCode, stdout, stderr }: Ended,
): AppError {
  const places = discarded.slice(0, MAX_PLACES);
  const output = `${stdout}${stderr}`.trim().slice(-MAX_TAIL_CHARS);
  const details = { tool, places, exitCode, output };
  const isInHome = discarded.some((place) => place.startsWith('~'));
  return isInHome
    ? new AppError('HOME_DISCARDED', details)
    : new AppError('WRITES_DISCARDED', details);
}

/** Maximum number of reported paths. */
const MAX_PATHS = 100;

/**
 * `$1` is the line before the report, `$2` the places, one a line; then the command. A place that ends with a slash stands
 * for all that is directly in it, any other for what begins with it. The report is the home, what was there before the
 * command, and what is there after it.
 */
const SCRIPT = `mark=$1 places=$2; shift 2
show() { if [ -e "$1" ] || [ -L "$1" ]; then n=$((n + 1)); [ $n -gt ${MAX_PATHS} ] || echo "$1"; fi; }
look() {
  IFS='
'; set -f; set -- $places; set +f; n=0
  for place; do
    case $place in "~"*) place=$HOME\${place#"~"};; esac
    for path in "$place"*; do show "$path"; done
    case $place in */) for path in "$place".[!.]*; do show "$path"; done;; esac
  done
}
before=$(look)
(exec "$@"); code=$?
after=$(look)
[ "$before" = "$after" ] || printf '\\n%s\\n%s\\n%s\\n%s\\n%s\\n' "$mark" "$HOME" "$before" "$mark" "$after" >&2
exit $code`;

/** Runs a command that reports on stderr which files of private folders it made. */
function watchPlaces(argv: Argv, places: readonly string[]) {
  const mark = `places-${randomUUID()}`;
  const watching: Argv = ['/bin/sh', '-c', SCRIPT, 'sh', mark, places.join('\n'), ...argv];
  return {
    argv: watching,
    /** Splits stderr into the output of the command and the report: paths that were created; `~` is the home. */
    read(stderr: string): { readonly stderr: string; readonly made: readonly string[] } {
      const at = stderr.indexOf(`\n${mark}\n`);
      if (at === -1) return { stderr, made: [] };
      const [, before = '', after = ''] = stderr.slice(at).split(`${mark}\n`);
      const [home = '', ...there] = before.split('\n');
      const made = after.split('\n').filter((path) => path !== '' && !there.includes(path));
      const shown = (path: string) =>
        path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
      return { stderr: stderr.slice(0, at), made: [...new Set(made.map(shown))] };
    },
  };
}

export interface PlacesRequest extends PlaceContext {
  /** Program and arguments, and what is on stdin. */
  readonly command: string;
  /** The task of the user. */
  readonly task: string;
}

/** The places to watch while a command runs: those that it or the task names, and those that it is meant to change. */
export const watchedPlaces = (request: PlacesRequest): readonly string[] => [
  ...new Set([
    ...namedPlaces(textOf(request), request),
    ...personalCommandsIn(request.command).flatMap(({ places }) => places),
  ]),
];

const textOf = ({ command, task }: PlacesRequest): string => `${command}\n${task}`;

interface PlacesOutcome {
  /** Paths in watched places that are there only since the command ran. */
  readonly made: readonly string[];
  readonly isSuccess: boolean;
}

/**
 * The discarded changes in private folders that a command made on purpose: files that it or the task names, files that it
 * removed, and files that it is meant to change. A file in a folder that is only named as a whole counts unless it looks
 * like a cache, a log or a temporary file.
 */
export function discardedPlaces(
  request: PlacesRequest,
  { made, isSuccess }: PlacesOutcome,
): readonly string[] {
  const names = watchedPlaces(request).filter((place) => !place.endsWith('/'));
  const text = textOf(request);
  const isMeant = (path: string) =>
    names.some((name) => path.startsWith(name)) ||
    !isMadeByItself(path.slice(path.lastIndexOf('/') + 1), text);
  const left = made.filter(isMeant);
  if (!isSuccess) return left;
  const isAlways = personalCommandsIn(request.command).some(({ places }) => places.length === 0);
  const removed = removedPlaces(request.command, request);
  return [...new Set([...left, ...removed, ...(isAlways ? ['~'] : [])])];
}

/** Names that programs give to caches, logs and temporary files. */
const namesOfPrograms =
  /^(?:\.|te?mp|pytest-of-|npm-|node-|v8-|yarn|hsperf|go-build|jest|pip-|rustc|matplotlib)|\.(?:log|lock|pid|sock|te?mp|cache)$|[A-Z0-9]{6,}|[-_.](?=\w*[0-9A-Z])(?=\w*[a-z])\w{6,}$/;

function isMadeByItself(name: string, text: string): boolean {
  const word = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const isNamed = new RegExp(`(?<![\\w.-])${word}(?![\\w-])`).test(text);
  return !isNamed && namesOfPrograms.test(name);
}
