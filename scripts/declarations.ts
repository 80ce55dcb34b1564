import { dirname, join } from 'node:path';

/** A declaration file as the compiler writes it, statement by statement. */
export interface Declarations {
  /** By declared name, each with its comment. */
  readonly statements: ReadonlyMap<string, string>;
  /** By local name: the module and the name there. Modules of our own are relative to `src/`, without `.ts`. */
  readonly imports: ReadonlyMap<string, ImportedName>;
}

export interface ImportedName {
  readonly from: string;
  readonly name: string;
  /** `export { … } from`: what the file exports under the local name. */
  readonly isExport: boolean;
  readonly isPackage: boolean;
}

const START =
  /^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:import|export|declare|interface|type|class|function)\b/gm;
const DECLARED =
  /^(?:export )?(?:declare )?(?:abstract )?(?:const|function|class|interface|type) ([\w$]+)/m;

/** @param path Relative to `src/`, without `.ts`: what imports are relative to. */
export function parseDeclarations(source: string, path: string): Declarations {
  const statements = new Map<string, string>();
  const imports = new Map<string, ImportedName>();
  for (const text of statementsOf(source)) {
    const from = /^(?:import|export)\b[^;]*? from '([^']+)';/m.exec(text)?.[1];
    const name = DECLARED.exec(text)?.[1];
    if (from !== undefined) addImports(text, { path, from }, imports);
    else if (name !== undefined) statements.set(name, `${statements.get(name) ?? ''}${text}`);
  }
  return { statements, imports };
}

/** Statements begin in the first column; a comment belongs to what follows it. */
function statementsOf(source: string): string[] {
  const starts = [...source.matchAll(START)].map(({ index }) => index);
  return starts.map((start, at) => source.slice(start, starts[at + 1]));
}

/** `{ a, type B as C }`, or `* as z`. */
function addImports(
  text: string,
  { path, from: written }: { readonly path: string; readonly from: string },
  imports: Map<string, ImportedName>,
): void {
  const isExport = /^export\b/m.test(text);
  const isPackage = !written.startsWith('.');
  const from = isPackage ? written : join(dirname(path), written).replace(/\.tsx?$/, '');
  const all = /^import (?:type )?\* as (\w+)/m.exec(text)?.[1];
  if (all) imports.set(all, { from, name: '*', isExport, isPackage });
  for (const part of /\{([^}]*)\}/s.exec(text)?.[1]?.split(',') ?? []) {
    const [name = '', local = name] = part
      .trim()
      .replace(/^type /, '')
      .split(' as ');
    if (name !== '') imports.set(local, { from, name, isExport, isPackage });
  }
}

/** The words of a statement that may be names, comments left out. */
export const identifiersOf = (text: string): Set<string> =>
  new Set(text.replace(/\/\*.*?\*\//gs, '').match(/[A-Za-z_$][\w$]*/g) ?? []);
