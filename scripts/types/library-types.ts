import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as z from 'zod';
import { replaceFile } from '../replace-file.ts';
import { typeOfSchema } from './type-of-schema.ts';
import { type DeclarationFile, readDeclarations } from './used-declarations.ts';

const ENTRY = 'app/library';

/** A declaration file, and the names in it that the library needs. */
interface Module extends DeclarationFile {
  readonly needed: Set<string>;
}

/**
 * Writes the type declarations of the library: `src/app/library.ts` and every declaration that it refers to. Types that
 * are inferred from zod schemas are written out.
 *
 * @throws Error if a declaration refers to a package.
 */
export async function writeLibraryTypes(root: string, outDir: string): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'capstan-types-'));
  try {
    emitDeclarations(root, emitted);
    const read = async (path: string): Promise<Module> => {
      const text = readFileSync(join(emitted, 'src', `${path}.d.ts`), 'utf8');
      const plain = await withoutZod(text, join(root, 'src', `${path}.ts`));
      return { ...readDeclarations(plain), needed: new Set() };
    };
    const modules = await findNeeded(read);
    for (const [path, module] of modules) {
      const text =
        path === ENTRY
          ? readFileSync(join(emitted, 'src', `${path}.d.ts`), 'utf8')
          : textOf(module);
      // A buffer is a Uint8Array for users without the types of Node.
      const plain = text.replace(/\bBuffer\b(?:<\w+>)?/g, 'Uint8Array');
      const types = plain.replace(/(from '\.[^']*)\.ts'/g, "$1.js'");
      replaceFile(join(outDir, `${path}.d.ts`), Buffer.from(types));
    }
    removeOthers(outDir, modules);
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

/** Removes the declarations of an earlier build that are no longer needed. */
function removeOthers(outDir: string, needed: ReadonlyMap<string, Module>): void {
  for (const file of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.d.ts') && !needed.has(file.slice(0, -'.d.ts'.length)))
      rmSync(join(outDir, file), { force: true });
  }
}

/** Follows the exports of the library to every declaration that they refer to. */
async function findNeeded(
  read: (path: string) => Promise<Module>,
): Promise<ReadonlyMap<string, Module>> {
  const entry = await read(ENTRY);
  const modules = new Map([[ENTRY, entry]]);
  const open: [string, string][] = [...entry.sources.keys()].map((name) => [ENTRY, name]);
  for (const [path, name] of open) {
    const module = modules.get(path) ?? (await read(path));
    modules.set(path, module);
    if (module.needed.has(name)) continue;
    const source = module.sources.get(name);
    const declared = module.declared.get(name) ?? [];
    if (!source && declared.length === 0) continue;
    module.needed.add(name);
    if (source) open.push([modulePath(path, name, source.from), source.name]);
    for (const { uses } of declared) open.push(...uses.map((use): [string, string] => [path, use]));
  }
  return modules;
}

/** Relative to `src/`, without `.ts`. */
function modulePath(path: string, name: string, from: string): string {
  if (from.startsWith('.')) return join(dirname(path), from).replace(/\.ts$/, '');
  throw new Error(`The declaration of ${name} in ${path} refers to the package ${from}`);
}

/** The needed declarations of a file, with the imports that they need. */
function textOf({ needed, sources, declared }: Module): string {
  const imports = [...sources]
    .filter(([local]) => needed.has(local))
    .map(([local, { from, name }]) => {
      const binding = name === local ? name : `${name} as ${local}`;
      return `import type { ${binding} } from '${from}';`;
    });
  const texts = [...declared]
    .filter(([name]) => needed.has(name))
    .flatMap(([, all]) => all.map(({ text }) => text));
  return `${[...imports, ...new Set(texts)].join('\n')}\n`;
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
      rootDir: root,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    // Declarations of packages without types of their own.
    include: [join(root, 'src/**/*.d.ts')],
    files: [join(root, 'src', `${ENTRY}.ts`)],
  };
  writeFileSync(config, JSON.stringify(settings));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const argv = [tsc, '-p', config, '--checkers', '1'];
  execFileSync(process.execPath, argv, { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** The same declarations without schemas, and with the types that are inferred from them written out. */
async function withoutZod(declarations: string, file: string): Promise<string> {
  if (!declarations.includes("from 'zod'")) return declarations;
  const schemas = (await import(file)) as Record<string, z.ZodType | (() => z.ZodType)>;
  return declarations
    .replace(
      /^(\/\*\*.*\*\/\n)?(export )?declare const \w+: (?:\(\) => )?z\.[\s\S]*?;\n(?=export|import|declare|\/\*\*|$(?![\s\S]))/gm,
      '',
    )
    .replace(
      /= (?:z\.(?:infer|output|input)|DocumentOf)<(?:ReturnType<)?typeof (\w+)>+;/g,
      (whole, name: string) => {
        const schema = schemas[name];
        if (!schema) return whole;
        return `= ${typeOfSchema(typeof schema === 'function' ? schema() : schema)};`;
      },
    );
}
