import type { ToolCall } from '../define/call.ts';
import type { ToolOutput } from '../define/tool.ts';
import type { FileIoArgs } from './arguments.ts';
import { goesDeep } from './walk/globs.ts';
import { type Entry, walkMatching } from './walk/walk.ts';

/** Lists a folder. Ignore files count only if the listing is recursive. `total` also counts entries that are not returned. */
export async function list(given: FileIoArgs, call: ToolCall): Promise<ToolOutput> {
  const { path, globs, recursive = goesDeep(globs), max_results: maxResults = 1_000 } = given;
  const entries: Entry[] = [];
  let total = 0;
  let bytes = 0;
  const options = { recursive, everything: given.include_ignored };
  for await (const entry of walkMatching(path, globs, options, call)) {
    total += 1;
    bytes += Buffer.byteLength(entry.path) + 64;
    if (entries.length < maxResults && bytes <= call.context.maxOutputBytes) entries.push(entry);
  }
  return { result: { total, truncated: total > entries.length, entries } };
}
