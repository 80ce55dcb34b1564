import { statSync } from 'node:fs';
import type { ToolCall } from '../../define/call.ts';
import { locate, openFile } from '../../files/paths.ts';
import { type Written, writeFile } from '../../files/write-file.ts';
import { contentOf } from './edit.ts';
import { assertMayReplace } from './move.ts';

/**
 * Writes the content of one file to another path, with the same permission bits.
 *
 * @param target `replace`: whether an existing file is replaced.
 */
export async function copyFile(
  path: string,
  { to, replace }: { readonly to: string; readonly replace: boolean },
  call: ToolCall,
): Promise<Written> {
  using source = await openFile(path, call);
  const content = await contentOf(path, call);
  const stats = statSync(await locate(to, 'write', call), { throwIfNoEntry: false });
  if (stats) assertMayReplace(to, stats, replace, call);
  const seen = replace ? undefined : 'absent';
  return writeFile(to, content, call, { mode: source.mode, seen });
}
