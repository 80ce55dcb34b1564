import { existsSync, lstatSync } from 'node:fs';
import { failure, type ToolCall } from '../../define/call.ts';
import { locate, openFile } from '../../files/paths.ts';
import { type Written, writeFile } from '../../files/write-file.ts';
import { contentOf } from './edit.ts';

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
  const target = await locate(to, 'write', call);
  if (existsSync(target) && lstatSync(target).isDirectory())
    throw failure(call, `"${to}" is a folder; write "${to}/" to keep the name in it`);
  if (existsSync(target) && !replace)
    throw failure(call, `"${to}" exists; set replace to replace it, or choose another name`);
  const seen = replace ? undefined : 'absent';
  return writeFile(to, content, call, { mode: source.mode, seen });
}
