/** Where the tables of a statement are: a database, files by the names of their tables, or both. */
export interface Place {
  readonly database?: string;
  /** The names of the tables of the database, if there are also files. */
  readonly tables?: readonly string[];
  /** By the names of their tables. `at` names one of several lists in a JSON file. */
  readonly files?: Readonly<Record<string, NamedFile>>;
}

/** A file, or one of its lists. */
export type NamedFile = string | { readonly path: string; readonly at: string };

/** The path of a file. */
export const pathOf = (file: NamedFile): string => (typeof file === 'string' ? file : file.path);

/** The files that a statement about a table reads. */
export function filesIn(
  { path, place }: { readonly path: string; readonly place: Place },
  sql: string,
): readonly string[] {
  const { database = path, tables = [], files = {} } = place;
  const all = [...tables.map((name) => [name, database] as const), ...Object.entries(files)];
  if (all.length < 2) return [path];
  const used = all.filter(([name]) => new RegExp(`\\b${name}\\b`).test(sql));
  return [...new Set(used.map(([, file]) => pathOf(file)))];
}
