import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type * as z from 'zod';
import {
  type Declarations,
  type ImportedName,
  identifiersOf,
  parseDeclarations,
} from './declarations.ts';
import { typeOfSchema } from './type-of-schema.ts';

const ENTRY = 'app/library';

interface Folders {
  /** Of the project. */
  readonly root: string;
  /** What the compiler wrote. */
  readonly emitted: string;
}

/** By file and name: the statements that are kept, and what each file imports for them. */
type Kept = Map<string, { readonly texts: Map<string, string>; readonly imports: Set<string> }>;

/**
 * Writes the type declarations of the library: what `src/app/library.ts` exports and what that refers to, statement by
 * statement. Types that are inferred from zod schemas are written out.
 *
 * @throws Error if a declaration needs a package.
 */
export async function writeLibraryTypes(root: string, outDir: string): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'capstan-types-'));
  try {
    emitDeclarations(root, emitted);
    const kept = await keepReachable({ root, emitted });
    rmSync(outDir, { recursive: true, force: true });
    for (const [path, { texts, imports }] of kept) {
      const to = join(outDir, `${path}.d.ts`);
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(
        to,
        `${[...imports].sort().join('')}${[...texts.values()].join('')}export {};\n`,
      );
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

function emitDeclarations(root: string, outDir: string): void {
  const config = join(outDir, 'tsconfig.json');
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir,
      rootDir: join(root, 'src'),
      typeRoots: [join(root, 'node_modules/@types')],
    },
    // Declarations of packages without types of their own.
    include: [join(root, 'src/**/*.d.ts')],
    files: [join(root, 'src', `${ENTRY}.ts`)],
  };
  writeFileSync(config, JSON.stringify(settings));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', config], { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Every statement that can be reached from what the entry exports. */
async function keepReachable({ root, emitted }: Folders): Promise<Kept> {
  const kept: Kept = new Map();
  const read = readOnce(emitted);
  const open = [...read(ENTRY).imports.keys()].map((name) => ({ path: ENTRY, name }));
  for (const { path, name } of open) {
    const declarations = read(path);
    const file = kept.get(path) ?? { texts: new Map(), imports: new Set() };
    kept.set(path, file);
    const imported = declarations.imports.get(name);
    if (imported) {
      file.imports.add(importLine(path, name, imported));
      open.push({ path: imported.from, name: imported.name });
      continue;
    }
    const statement = declarations.statements.get(name);
    if (statement === undefined || file.texts.has(name)) continue;
    const text = await withoutZod(statement, name, join(root, 'src', `${path}.ts`));
    file.texts.set(name, text);
    open.push(...namesIn(text, declarations).map((word) => ({ path, name: word })));
  }
  return kept;
}

function readOnce(emitted: string): (path: string) => Declarations {
  const known = new Map<string, Declarations>();
  return (path) => {
    const parsed =
      known.get(path) ??
      parseDeclarations(readFileSync(join(emitted, `${path}.d.ts`), 'utf8'), path);
    known.set(path, parsed);
    return parsed;
  };
}

/** The names of the same file that a statement refers to. */
const namesIn = (text: string, { statements, imports }: Declarations): string[] =>
  [...identifiersOf(text)].filter((word) => statements.has(word) || imports.has(word));

/** @throws Error for an import of a package: `from` is a path below `src/` otherwise. */
function importLine(
  path: string,
  local: string,
  { from, name, isExport, isPackage }: ImportedName,
): string {
  if (isPackage) {
    throw new Error(`The declarations of ${path} need the package ${from} (${local}).`);
  }
  const to = relative(dirname(path), from);
  const clause = name === local ? name : `${name} as ${local}`;
  const verb = isExport ? 'export' : 'import type';
  return `${verb} { ${clause} } from '${to.startsWith('.') ? to : `./${to}`}.js';\n`;
}

/** `export type X = z.infer<typeof X>` with the type that the schema gives in full. */
async function withoutZod(text: string, name: string, file: string): Promise<string> {
  const inferred = /export type \w+ = z\.(?:infer|output)<typeof (\w+)>;\n/.exec(text);
  if (!inferred) return text;
  const schemas = (await import(file)) as Record<string, z.ZodType>;
  const schema = schemas[inferred[1] ?? ''];
  if (!schema) throw new Error(`${file} exports no schema for ${name}`);
  return `export type ${name} = ${typeOfSchema(schema)};\n`;
}
