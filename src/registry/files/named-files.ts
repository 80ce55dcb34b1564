import { posix } from 'node:path';
import { compileGlob } from '../../platform/globs/glob.ts';
import { byScript } from '../../platform/text/by-script.ts';

const MAX_NAMES = 50;
const MAX_NAME_LENGTH = 300;

export const aFile = String.raw`(?:(?:a|an|the|new)\s+)*(?:file\s+)?(?:(?:named|called)\s+)?`;
const precededBy = String.raw`\b(?:as|to|into)\s+${aFile}`;
const address = 'https?:\\/\\/[^\\s<>"\'`]+';
export const inQuotes = '[`"\']([^`"\'\\n]{1,300}\\.\\w{1,8})[`"\']';
export const bare = String.raw`(?<![\p{L}\p{N}_.~/\\*-])[\p{L}\p{N}_.~/\\*-]{0,300}[\p{L}\p{N}_*]\.[a-z]\w{0,7}(?![\p{L}\p{N}_/])`;
const named = byScript(`(${precededBy})?(${address}|${inQuotes}|${bare})`, 'gi');

/** Words that look like file names. */
export const abbreviations = new Set(['e.g', 'i.e', 'a.m', 'p.m', 'u.s', 'u.k', 'ph.d']);

/** In back-ticks, of several words, with the name of a file, and not SQL. */
const code = '`(?!\\s*(?:select|with)\\b)(?=[^`\\n]*\\s)(?=[^`\\n]*\\.\\w)[^`\\n]*`';
const commands = new RegExp(
  `\\b((?:run|execute|invoke|call|launch|command|(?:output|result) of|what does)\\s(?:(?:the|this|these|following|shell|bash|terminal|commands?|script|program)[\\s:,]*)*)${code}(?:,? (?:and )?${code})*`,
  'gi',
);

/** A text without the commands that it asks to run: a file named in a command belongs to the command. */
const withoutCommands = (text: string): string => text.replace(commands, '$1`command`');

/**
 * Finds the files that a task reads, and those that it should write: named after *as*, *to* or *into*. Finds names with an
 * extension, back-ticked and quoted ones with spaces too, and http(s) addresses.
 */
export function findNamedFiles(
  text: string,
): Readonly<Record<'inputs' | 'outputs', readonly string[]>> {
  const inputs: string[] = [];
  const outputs: string[] = [];
  const searched = withoutCommands(text.slice(0, 20_000));
  for (const [, before, name = '', quoted] of searched.matchAll(named(searched))) {
    const found = (quoted ?? name).replace(/[.,;:!?)\]]+$/, '').slice(0, MAX_NAME_LENGTH);
    if (abbreviations.has(found.toLowerCase())) continue;
    (before === undefined ? inputs : outputs).push(found);
    if (inputs.length + outputs.length >= MAX_NAMES) break;
  }
  return { inputs, outputs };
}

const bareOrAddress = byScript(`${address}|${bare}`, 'gi');

/**
 * A text for comparing by meaning: each file name becomes `file` with its extension, each address `https web page`. A
 * report called `slow-requests.md` is about files, not about requests.
 */
export function maskNames(text: string): string {
  const searched = withoutCommands(text);
  return searched.replace(bareOrAddress(searched), (name) => {
    if (/^https?:/i.test(name)) return 'https web page';
    if (abbreviations.has(name.toLowerCase())) return name;
    return `file${name.slice(name.lastIndexOf('.'))}`;
  });
}

/**
 * Whether one of the globs matches one of the names, ignoring case. A glob without a slash is matched against the last part
 * of a path; `https://**` matches addresses.
 */
export function matchesAny(globs: readonly string[], names: readonly string[]): boolean {
  return globs.some((glob) => {
    const isAddress = /^https?:/.test(glob);
    const matches = compileGlob(isAddress ? withoutScheme(glob) : glob, true);
    const place = (name: string) => {
      if (isAddress) return withoutScheme(name);
      return glob.includes('/') ? name.replace(/^(\.?\/)+/, '') : posix.basename(name);
    };
    return names.some((name) => /^https?:/i.test(name) === isAddress && matches(place(name)));
  });
}

const withoutScheme = (address: string): string => address.replace(/^\w+:\/\//, '');
