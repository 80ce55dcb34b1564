import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import type { TouchedPath } from '../../contract/permissions/operation.ts';
import { shownPath } from '../../platform/files/inside.ts';
import { failure, type ToolCall } from '../define/call.ts';
import { pathArg } from '../define/tool.ts';
import { globMatcher } from '../file-io/walk/globs.ts';
import { walk } from '../file-io/walk/walk.ts';
import { type Opened, openFile } from '../files/paths.ts';
import type { FileTable } from './files/load-files.ts';
import type { SourceFile } from './formats/text-chunks.ts';

const MAX_TABLES = 20;
const MAX_FILES = 200;

const NamedFile = () =>
  z.union([
    pathArg(),
    z.strictObject({
      path: pathArg(),
      format: z.enum(['csv', 'tsv', 'json', 'jsonl', 'pairs', 'access_log', 'log']).optional(),
      delimiter: z.string().length(1).optional(),
      header: z.boolean().optional(),
      at: z.string().min(1).max(500).optional().describe('JSON: where the list is: `data.items`.'),
    }),
  ]);

const TABLE_NAME = /^(?!sqlite_|cell_text$)[a-z_][a-z0-9_]{0,62}$/i;

/** Files as tables, by the name of the table. */
export const QueryFiles = () =>
  z
    .record(z.string().regex(TABLE_NAME), NamedFile())
    .refine((files) => Object.keys(files).length <= MAX_TABLES, `at most ${MAX_TABLES} tables`)
    .refine(
      (files) =>
        new Set(Object.keys(files).map((name) => name.toLowerCase())).size ===
        Object.keys(files).length,
      'two tables have one name',
    );
export type QueryFiles = z.output<ReturnType<typeof QueryFiles>>;

const pathOf = (file: QueryFiles[string]): string => (typeof file === 'string' ? file : file.path);

const isGlob = (text: string): boolean => /[*?[{]/.test(text);

/** The folder above the first pattern in a glob. */
const folderOf = (glob: string): string => {
  const parts = glob.split('/');
  const fixed = parts.slice(0, Math.min(parts.findIndex(isGlob), parts.length - 1));
  return fixed.join('/') || (glob.startsWith('/') ? '/' : '.');
};

/** The paths that a query reads: a glob reads everything below its folder. */
export const pathsOf = (files: QueryFiles): TouchedPath[] =>
  Object.values(files)
    .map(pathOf)
    .map((one) =>
      isGlob(one)
        ? { path: folderOf(one), access: 'read', subtree: true }
        : { path: one, access: 'read' },
    );

/** The descriptor of the first file in the query process. */
const FIRST_FD = 3;

/**
 * Opens every file of a query, with the same checks as every file that is read. The request has the descriptors that the
 * files have in the query process; `skipped` are files that match a glob and may not be read, for the capsule.
 *
 * @param database The open database of the query, if it has one.
 * @throws AppError `TOOL_FAILED`, `PATH_OUTSIDE_ROOTS`, `PATH_PROTECTED`, `PATH_NOT_GRANTED`, `CANCELLED`.
 */
export async function openTables(files: QueryFiles, database: Opened | undefined, call: ToolCall) {
  const opened: Opened[] = [];
  const fds = database ? [database.fd] : [];
  const skipped: string[] = [];
  const close = () => {
    for (const file of opened) file[Symbol.dispose]();
  };
  const open = async (path: string): Promise<SourceFile> => {
    if (opened.length >= MAX_FILES)
      throw failure(call, `more than ${MAX_FILES} files are named; query fewer at a time`);
    const file = await openFile(path, call);
    opened.push(file);
    const fd = FIRST_FD + fds.push(file.fd) - 1;
    return { fd, shown: shownPath(call.context.workspace, file.path) };
  };
  try {
    const tables: FileTable[] = [];
    for (const [name, file] of Object.entries(files)) {
      const sources: SourceFile[] = [];
      for (const one of await findFiles(pathOf(file), skipped, call)) sources.push(await open(one));
      const { path: _, ...options } = typeof file === 'string' ? { path: file } : file;
      tables.push({ name, files: sources, ...options });
    }
    const request = { database: database && { path: database.path, fd: FIRST_FD }, tables };
    const paths = opened.map(({ path }) => path);
    return { request, fds, paths, skipped, [Symbol.dispose]: close };
  } catch (error) {
    close();
    throw error;
  }
}

async function findFiles(named: string, skipped: string[], call: ToolCall): Promise<string[]> {
  if (!isGlob(named)) return [named];
  const found: string[] = [];
  for await (const place of matchesOf(named, call)) {
    const why = whySkipped(place, call);
    if (why === undefined) found.push(place);
    else skipped.push(`${place}: ${why}`);
  }
  if (found.length > 0) return found;
  const left = skipped.length > 0 ? ` that may be read (${skipped.join('; ')})` : '';
  const hint = 'file_io with operation "list" shows what there is';
  throw failure(call, `no file matches "${named}"${left}; ${hint}`);
}

/** The files of the workspace that match a glob, in order. */
async function* matchesOf(named: string, call: ToolCall): AsyncGenerator<string> {
  const { workspace } = call.context;
  const glob = isAbsolute(named) ? shownPath(workspace, named) : named.replace(/^(?:\.\/)+/, '');
  const folder = folderOf(glob);
  const below = folder === '.' ? glob : glob.slice(folder.length + 1);
  const matches = globMatcher([`./${glob}`]);
  const options = { recursive: below.includes('/') || below.includes('**'), everything: false };
  for await (const { path: place, kind } of walk(folder, options, call)) {
    if (kind === 'file' && (place === glob || matches(place))) yield place;
  }
}

function whySkipped(place: string, { context }: ToolCall): string | undefined {
  const absolute = resolve(context.workspace, place);
  if (context.isProtected(absolute, 'read')) return 'protected';
  return context.isGranted?.(absolute, 'read') === false ? 'not granted' : undefined;
}
