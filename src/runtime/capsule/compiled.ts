import { existsSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

const DIGEST_BYTES = 32;

/** Beside a program: a digest, and behind it V8's compiled code of the program. */
export const compiledName = (program: string): string => `${program}.v8`;

/** The content of the file with compiled code. */
export const compiledFile = (source: Buffer, code: Buffer): Buffer =>
  Buffer.concat([digestOf(source, code), code]);

/** V8 runs damaged code and that of another source, so the digest covers everything that must be the same. */
function digestOf(source: Buffer, code: Buffer): Buffer {
  // Loaded only here: it takes a tenth of the start of a capsule.
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  hash.update(`${process.version} ${process.arch} ${source.length}\n`);
  return hash.update(source).update(code).digest();
}

/**
 * What a program exports, from the compiled code beside it. Undefined if there is none of exactly this source, version of
 * Node and processor.
 *
 * @param filename Absolute.
 */
export function runCompiled(filename: string): unknown {
  if (!existsSync(compiledName(filename))) return undefined;
  const source = readFileSync(filename);
  const compiled = readFileSync(compiledName(filename));
  const code = compiled.subarray(DIGEST_BYTES);
  if (!compiled.subarray(0, DIGEST_BYTES).equals(digestOf(source, code))) return undefined;
  return runProgram(filename, compileProgram(filename, source, code));
}

/** @param source One byte per character. */
export const compileProgram = (filename: string, source: Buffer, cachedData?: Buffer): Script =>
  new Script(Module.wrap(source.toString('latin1')), {
    filename,
    ...(cachedData && { cachedData }),
  });

/** Runs a program as the module of its file. Returns what it exports. */
export function runProgram(filename: string, script: Script): unknown {
  const module = Object.assign(new Module(filename), { filename });
  const require = createRequire(filename);
  script.runInThisContext()(module.exports, require, module, filename, dirname(filename));
  return module.exports;
}
