import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** One import between two places of the source tree, or of a package. */
export interface SourceImport {
  /** Path of the importing file, relative to the tree's root, with `/`. */
  readonly from: string;
  /** The same for a file of the tree; else the module's name as written. */
  readonly to: string;
  readonly kind: 'static' | 'dynamic' | 'type';
}

/** `import … from`, `export … from`, bare `import '…'`, and `import('…')`, also over several lines. */
const statement =
  /^\s*(?:import|export)(?<type>\s+type\b)?(?:[\s\w$*,{}]*?\bfrom)?\s*'(?<name>[^']+)'|\bimport\(\s*'(?<dynamic>[^']+)'/gm;

/** Reads the imports of one file's text. `from` is its path. */
export function importsOf(from: string, text: string): SourceImport[] {
  return [...text.matchAll(statement)].map(({ groups = {} }) => {
    const name = groups['name'] ?? groups['dynamic'] ?? '';
    const to = name.startsWith('.') ? join(dirname(from), name).split(sep).join('/') : name;
    const kind = groups['dynamic'] ? 'dynamic' : groups['type'] ? 'type' : 'static';
    return { from, to, kind } as const;
  });
}

/** Every source file under `root`, as paths relative to it; tests, and what only tests use (`testing/`), apart. */
export const sourceFiles = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => relative(root, join(root, file)).split(sep).join('/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|(^|\/)testing\//.test(file))
    .sort();

/** All imports of the tree under `root`. */
export const sourceImports = (root: string): SourceImport[] =>
  sourceFiles(root).flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));
