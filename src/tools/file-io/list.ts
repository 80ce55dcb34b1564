import { relative, resolve, sep } from 'node:path';
import type { ToolCall } from '../define/call.ts';
import { globMatcher, goesDeep } from './walk/globs.ts';
import { type Entry, walk } from './walk/walk.ts';

export interface ListOptions {
  readonly path: string;
  readonly globs: readonly string[] | undefined;
  readonly recursive: boolean | undefined;
  readonly includeIgnored: boolean;
  readonly maxResults: number;
}

export interface Listing {
  /** All that matched, also what is not in `entries`. */
  readonly total: number;
  readonly truncated: boolean;
  readonly entries: readonly Entry[];
}

/** Lists a folder. Only a listing of a whole tree leaves out what ignore files name. */
export async function list(options: ListOptions, call: ToolCall): Promise<Listing> {
  const { globs, includeIgnored, maxResults } = options;
  const recursive = options.recursive ?? goesDeep(globs);
  const matches = globMatcher(globs);
  const start = relative(call.context.workspace, resolve(call.context.workspace, options.path));
  const prefix = start === '' ? '' : `${start.split(sep).join('/')}/`;
  const entries: Entry[] = [];
  let total = 0;
  let bytes = 0;
  for await (const entry of walk(options.path, { recursive, everything: includeIgnored }, call)) {
    const below = entry.path.startsWith(prefix) ? entry.path.slice(prefix.length) : entry.path;
    if (!matches(below)) continue;
    total += 1;
    bytes += Buffer.byteLength(entry.path) + 64;
    if (entries.length < maxResults && bytes <= call.context.maxOutputBytes) entries.push(entry);
  }
  return { total, truncated: total > entries.length, entries };
}
