/** The source of a name: a module as written in the import, and the name there. */
interface Source {
  readonly from: string;
  readonly name: string;
}

interface Declared {
  readonly text: string;
  /** Names that it may refer to. */
  readonly uses: readonly string[];
}

/** One declaration file (`.d.ts`), by name. */
export interface DeclarationFile {
  /** A name may have several declarations: overloads. */
  readonly declared: ReadonlyMap<string, readonly Declared[]>;
  /** Imported and re-exported names. */
  readonly sources: ReadonlyMap<string, Source>;
}

/** Reads a declaration file as the compiler writes it: one statement begins at the start of a line. */
export function readDeclarations(text: string): DeclarationFile {
  const declared = new Map<string, Declared[]>();
  const sources = new Map<string, Source>();
  for (const statement of text.split(STATEMENT_START)) {
    for (const [local, source] of sourcesOf(statement)) sources.set(local, source);
    const name = DECLARATION.exec(withoutComments(statement).trim())?.[1];
    if (name === undefined) continue;
    const known = declared.get(name) ?? [];
    declared.set(name, [...known, { text: statement.trim(), uses: usesOf(statement) }]);
  }
  return { declared, sources };
}

/** A keyword at the start of a line, with the comment before it. */
const STATEMENT_START =
  /^(?=\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?:export|declare|interface|type|class|abstract)\b)|(?<!\*\/\n)^(?=(?:export|import|declare|interface|type|class|abstract)\b)/m;
const DECLARATION =
  /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const) (\w+)/;
const IMPORT = /^(?:import|export) (?:type )?(?:\{([^}]*)\}|\* as (\w+)) from '([^']+)';/m;

function sourcesOf(statement: string): [string, Source][] {
  const [, names, namespace, from] = IMPORT.exec(statement) ?? [];
  if (from === undefined) return [];
  if (namespace !== undefined) return [[namespace, { from, name: '*' }]];
  return (names ?? '').split(',').flatMap((binding): [string, Source][] => {
    const [name, local = name] = binding
      .trim()
      .replace(/^type /, '')
      .split(' as ');
    return name && local ? [[local, { from, name }]] : [];
  });
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '');

/** Types begin with a capital letter; values are named by `typeof`, namespaces before a dot. */
const usesOf = (statement: string): string[] => [
  ...new Set(
    [...withoutComments(statement).matchAll(/\btypeof (\w+)|\b(\w+)\.\w|\b([A-Z]\w*)/g)].flatMap(
      ([, value, namespace, type]) => value ?? namespace ?? type ?? [],
    ),
  ),
];
