import type { HandlerContext } from '../context.ts';
import { listFolder } from '../files/file-tool.ts';
import { tokenize } from '../language/lexer.ts';
import { inputFiles } from './input-of.ts';

/** Adds the folders of files that a task names without them. Returns undefined unless each name has exactly one path. */
export async function withFolders(context: HandlerContext): Promise<HandlerContext | undefined> {
  const names = inputFiles(tokenize(context.task)).filter((name) => !name.includes('/'));
  if (names.length === 0) return undefined;
  const globs = names.map((name) => `**/${name}`);
  const { entries } = await listFolder(context, '.', { globs, recursive: true });
  let { task } = context;
  for (const name of names) {
    const [only, ...others] = entries.filter(({ path }) => `/${path}`.endsWith(`/${name}`));
    if (only === undefined || others.length > 0) return undefined;
    task = task.replace(name, () => only.path);
  }
  return { ...context, task };
}
