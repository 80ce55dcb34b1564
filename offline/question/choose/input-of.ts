import type { HandlerContext } from '../../context.ts';
import { listFolder } from '../../files/file-tool.ts';
import type { Token } from '../../language/lexer.ts';
import { modelSettings, type TaskError } from '../../task-error.ts';
import { assertAsks } from '../refuse/assert-asks.ts';
import { unclear } from '../sql/query.ts';
import { isDatabase } from '../table/load-tables.ts';
import { nounsOf } from '../table/schema.ts';

/** The files that a task reads, without those after `to`, `as` or a verb that writes. */
export function inputFiles(tokens: readonly Token[]): string[] {
  const files = tokens.flatMap((token, at) =>
    token.kind === 'file' && !isTarget(tokens, at) ? [token.text] : [],
  );
  return [...new Set(files)];
}

function isTarget(tokens: readonly Token[], at: number): boolean {
  const before = (back: number) => tokens[at - back]?.norm ?? '';
  const next = tokens[at + 1]?.norm ?? '';
  if (/^(?:write|create|make|generate|produce)$/.test(before(1))) return true;
  if (/^(?:save|store|export|put|dump|print|output)$/.test(before(1)))
    return !/^(?:as|to|into)$/.test(next);
  const isFormat = /^(?:file|csv|tsv|json|markdown)$/.test(before(1));
  if (before(1) === 'in' && before(3) === 'as') return true;
  return (
    (/^(?:to|as|into|called|named)$/.test(before(1)) &&
      !/^(?:according|compared)$/.test(before(2))) ||
    (isFormat && /^(?:to|as|into|a)$/.test(before(2)))
  );
}

/** The files that a question may be about: the named ones, the one that its words describe (`the orders`), or all data files. */
export async function inputsOf(
  context: HandlerContext,
  tokens: readonly Token[],
): Promise<readonly string[]> {
  const given = context.input['path'];
  if (typeof given === 'string') return [given];
  const named = inputFiles(tokens);
  return named.length > 0 ? named : unnamedInputs(context, tokens);
}

const EXTENSIONS = 'csv|tsv|json|jsonl|ndjson|log|db|db3|sqlite|sqlite3'.split('|');

/** Maximum number of files that are read for a question that names none. */
export const MAX_LOOKED_AT = 20;

/** The data files of the workspace. */
export async function dataFiles(context: HandlerContext): Promise<readonly string[]> {
  const globs = EXTENSIONS.map((extension) => `**/*.${extension}`);
  const { entries } = await listFolder(context, '.', { globs, recursive: true });
  return entries.flatMap(({ kind, path }) =>
    kind === 'file' && !/(?:^|\/)(?:package(?:-lock)?|tsconfig)\.json$/.test(path) ? [path] : [],
  );
}

async function unnamedInputs(
  context: HandlerContext,
  tokens: readonly Token[],
): Promise<readonly string[]> {
  if (context.results.length > 0)
    throw unclear('The result of an earlier step is not a file. Put both into one question.');
  const paths = await dataFiles(context);
  const said = new Set(tokens.flatMap(({ kind, stem }) => (kind === 'word' ? [stem] : [])));
  const named = paths.filter((path) => isNamedBy(path, said));
  const fitting = named.length > 0 ? named : paths.filter((path) => isOfKind(path, said));
  if (fitting.length === 1) return fitting;
  const all = fitting.length > 0 ? fitting : paths;
  if (all.length === 0) assertAsks(tokens, 0);
  if (all.length === 0 || all.length > MAX_LOOKED_AT) throw unnamed(all);
  return all;
}

/** The first files, for a message. */
export const shownPaths = (paths: readonly string[]): string => paths.slice(0, 5).join(', ');

/** The error for a question without a clear file. @param question The question, if each of the files can answer it. */
export function unnamed(paths: readonly string[], question?: string): TaskError {
  const [first] = paths;
  const shown = shownPaths(paths);
  const works = question && `"${question.replace(/[\s.?!]+$/, '')} in ${first}"`;
  const help =
    first === undefined
      ? 'Name a CSV, JSON, log or SQLite file.'
      : works
        ? `It fits ${shown}. This works: ${works}.`
        : `Its words match no column of ${shown}. Use the names of columns, and name the file.`;
  const others = works ? 'Or' : 'Other questions need a language model:';
  return unclear(`No file to read is named. ${help} ${others} ${modelSettings}.`);
}

/** Whether words name a file: `sales` for sales.csv, `the access log` for access.log. */
function isNamedBy(path: string, said: ReadonlySet<string>): boolean {
  const nouns = nounsOf(path);
  return nouns.length > 0 && nouns.every((noun) => said.has(noun));
}

/** Whether words name the kind of a file: `the database`, `the log`. */
const isOfKind = (path: string, said: ReadonlySet<string>): boolean => {
  const ending = /\.(log|csv|json)$/i.exec(path)?.[1]?.toLowerCase();
  const words = isDatabase(path) ? ['database', 'db'] : [ending ?? ''];
  return words.some((word) => said.has(word));
};
