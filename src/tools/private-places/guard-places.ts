import { AppError } from '../../contract/errors.ts';
import type { Argv } from '../../runtime/sandbox/sandbox.ts';
import type { ToolCall } from '../define/call.ts';
import { discardedPlaces, type PlacesRequest, watchedPlaces } from './discarded-places.ts';
import { namedPlaces, namesUnreachable } from './named-places.ts';
import { privatePlaces, privatePlacesHint } from './private-places.ts';
import { watchPlaces } from './watch-places.ts';

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
