import { homedir } from 'node:os';
import { normalize, resolve } from 'node:path/posix';
import type { IsolationLevel } from '../../contract/permissions/isolation.ts';

/** The context of a text. */
export interface PlaceContext {
  readonly level: IsolationLevel;
  /** Absolute. Paths in it are not private, wherever it is. */
  readonly workspace: string;
  /** Where relative paths begin, absolute. Default: the workspace. */
  readonly folder?: string;
}

const STOP = String.raw`\s"'\`;|&<>()$*?{}\[\],\\:`;
/** A path below a private folder, at the start of a word, of a quoted text or of the value of an option. */
const path = new RegExp(
  String.raw`(?<=^|[\s"'\`=:,;|&<>(\[{@+!]|\s-[A-Za-z])(?:/tmp|/dev/shm|~)(?![\w.~-])(?:/[^${STOP}]*)?`,
  'gm',
);
/** `cd` alone goes to the home. */
const goesHome = /(?<=^|[\s;&|("'`{])cd[ \t]*[;&|\n]/;
/** Options that set a program's cache or home: it writes there on its own. Bounded, because it backtracks. */
const ownFolder =
  /(?<=^|[\s;&|])(?:\w{0,40}cache\w{0,40}=|--?[\w-]{0,40}cache[\w-]{0,40}[= ]|(?:HOME|TMPDIR|TMP|TEMP)=(?=\S{1,200}[ \t]+[\w./"']))\S+/gim;
const home = /\$HOME\b|\$\{HOME(?::?-[^}]{0,200})?\}/g;
const temporary = /\$TMPDIR\b|\$\{TMPDIR(?::?-[^}]{0,200})?\}/g;
const homeInCode = /\bPath\.home\(|\bhomedir\(|\b(?:environ|getenv|env)\W{1,4}HOME\b/;
const temporaryInCode = /\bgettempdir\(|\btmpdir\(|\b(?:environ|getenv|env)\W{1,4}TMPDIR\b/;

/**
 * Paths in private folders that a command or a task names: `/tmp/x`, `~/.npmrc`. What follows a name whose end is not known
 * (`/tmp/part-$i`) is left out. A folder as a whole ends with a slash (`/tmp/`, `~/`).
 */
export function namedPlaces(text: string, context: PlaceContext): readonly string[] {
  return [...new Set([...directPlaces(text, context), ...relativePlaces(text, context)])];
}

/** Paths that begin with a private folder, in words or in code. */
function directPlaces(text: string, context: PlaceContext): readonly string[] {
  const temporaryFolder = context.level === 'A' ? '/tmp' : '~';
  const plain = text
    .replace(ownFolder, ' ')
    .replace(home, '~')
    .replace(temporary, temporaryFolder)
    .replace(/(?<=\/tmp|\/dev\/shm|~)["']+(?=\/)/g, '');
  const found = [...plain.matchAll(path)].map(([one]) => one);
  if (homeInCode.test(text) || goesHome.test(text)) found.push('~');
  if (temporaryInCode.test(text)) found.push(temporaryFolder);
  return privateOf(found, context);
}

/** Paths with `..`. */
function relativePlaces(text: string, context: PlaceContext): readonly string[] {
  const { workspace, folder = workspace } = context;
  const words = text.split(/[\s"'`;|&<>()$*?{}[\],\\:=@!]+/);
  const found = words
    .filter((word) => !word.startsWith('/') && /(?:^|\/|^-[A-Za-z])\.\.(?:\/|$)/.test(word))
    .map((word) => resolve(folder, word.replace(/^-[A-Za-z]/, '')));
  return privateOf(found, context);
}

/** The places that paths stand for, without those that are not private. A folder around the workspace is named as a whole. */
function privateOf(
  paths: readonly string[],
  { level, workspace }: PlaceContext,
): readonly string[] {
  const isPrivate = (place: string) =>
    level === 'A'
      ? place !== '' && place !== workspace && !place.startsWith(`${workspace}/`)
      : place.startsWith('~');
  return [...new Set(paths.map(placeOf).filter(isPrivate))].map((place) =>
    workspace.startsWith(`${place}/`) ? `${place}/` : place,
  );
}

/** Whether a text names a folder of the user that no command can write: the home by its path, `/var/tmp`. */
export function namesUnreachable(text: string, workspace: string): boolean {
  const words = text.split(/[\s"'`=;|&<>()]+/);
  return words.some(
    (word) =>
      (word === homedir() ||
        word.startsWith(`${homedir()}/`) ||
        /^\/var\/tmp(?:\/|$)/.test(word)) &&
      !`${word}/`.startsWith(`${workspace}/`),
  );
}

/** Empty if it leaves the folder, or is the template of a temporary name. */
function placeOf(text: string): string {
  const place = normalize(text.replace(/(?<!\/)[.!]+$/, '')).replace(/\/$/, '');
  const root = /^(?:\/tmp|\/dev\/shm|~)(?=\/|$)/.exec(place)?.[0];
  if (root === undefined || /X{3,}/.test(place)) return '';
  return place === root ? `${root}/` : place;
}

/** Paths that a command removes and names nowhere else: none of them can be there. Relative ones may be, after a `cd`. */
export function removedPlaces(text: string, context: PlaceContext): readonly string[] {
  const parts = text.split(/[;&|\n]+/);
  const isRemoval = (part: string) =>
    /^\s*(?:bash -l?c )?(?:sudo |command )?(?:rm|rmdir|unlink|shred|srm)\s/.test(part) ||
    /^\s*(?:bash -l?c )?find\s.*\s-delete\b/.test(part);
  const others = namedPlaces(parts.filter((part) => !isRemoval(part)).join('\n'), context);
  return directPlaces(parts.filter(isRemoval).join('\n'), context).filter(
    (place) => !others.some((other) => other.startsWith(place) || place.startsWith(other)),
  );
}
