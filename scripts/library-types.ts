import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type * as z from 'zod';
import { typeOfSchema } from './type-of-schema.ts';

const ENTRY = 'app/library';
/** The files whose values the library exports. */
const exported: ReadonlySet<string> = new Set([ENTRY, 'app/open-capstan', 'contract/errors']);

/**
 * Writes the type declarations of the library: `src/app/library.ts` and what it refers to. Values that no type
 * names are left out, and types that are inferred from zod schemas are written out.
 *
 * @throws Error if a declaration imports a package.
 */
export async function writeLibraryTypes(root: string, outDir: string): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'capstan-types-'));
  try {
    emitDeclarations(root, emitted);
    rmSync(outDir, { recursive: true, force: true });
    const open = [ENTRY];
    const seen = new Set(open);
    for (const path of open) {
      const source = readFileSync(join(emitted, `${path}.d.ts`), 'utf8');
      const types = await withoutZod(source, join(root, 'src', `${path}.ts`));
      const text = exported.has(path) ? types : withoutValues(types);
      for (const next of importsOf(path, text)) {
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
      const to = join(outDir, `${path}.d.ts`);
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
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
    // Beside the entry, the declarations for packages without types.
    include: [join(root, 'src/**/*.d.ts')],
    files: [join(root, 'src', `${ENTRY}.ts`)],
  };
  writeFileSync(config, JSON.stringify(settings));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', config], { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** The same declarations without schemas, and with the types that schemas give in full. */
async function withoutZod(source: string, file: string): Promise<string> {
  if (!source.includes("from 'zod'")) return source;
  const schemas = (await import(file)) as Record<string, z.ZodType>;
  return source
    .replace(
      /^(\/\*\*.*\*\/\n)?(export )?declare const \w+: z\.[\s\S]*?;\n(?=export|import|declare|\/\*\*|$(?![\s\S]))/gm,
      '',
    )
    .replace(/= z\.infer<typeof (\w+)>;/g, (whole, name: string) => {
      const schema = schemas[name];
      return schema ? `= ${typeOfSchema(schema)};` : whole;
    })
    .replace(/^import \* as z from 'zod';\n/m, '');
}

/** Functions and constants are left out, unless a type is made from them; so are imports that nothing uses any more. */
function withoutValues(source: string): string {
  const text = source.replace(
    /^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export declare (?:const|function|class) (\w+)[\s\S]*?;\n(?=export|import|declare|\/\*\*|$(?![\s\S]))/gm,
    (whole, name: string) => (source.includes(`typeof ${name}`) ? whole : ''),
  );
  const body = text.replace(/^import .*$/gm, '');
  const isUsed = (name: string) => new RegExp(`\\b${name.trim().split(' ').pop()}\\b`).test(body);
  return text.replace(
    /^import (?:type )?\{([^}]*)\} from ([^;]*);\n/gm,
    (_, names: string, from: string) => {
      const used = names.split(',').filter(isUsed);
      return used.length > 0
        ? `import type {${used.join(',').replaceAll('type ', '')}} from ${from};\n`
        : '';
    },
  );
}

/** Modules that a declaration file imports, relative to `src/` without `.ts`. */
const importsOf = (path: string, text: string): string[] =>
  [...text.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, from = '']) => {
    if (from.startsWith('.')) return join(dirname(path), from).replace(/\.ts$/, '');
    throw new Error(`The declarations of ${path} import ${from}`);
  });
