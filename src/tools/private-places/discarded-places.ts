import { namedPlaces, type PlaceContext, removedPlaces } from './named-places.ts';
import { personalCommandsIn } from './personal-commands.ts';

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

export interface PlacesOutcome {
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
