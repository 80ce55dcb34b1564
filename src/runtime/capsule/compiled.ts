import { existsSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** Beside a program: its source, and behind it V8's compiled code of this source. */
export const compiledName = (program: string): string => `${program}.v8`;

/**
 * `require` for a program with compiled code beside it, which only a build can have written: a person can't read it.
 * Compiled code of another source is ignored, and V8 rejects that of another version.
 *
 * @param filename Absolute.
 */
export function requireCompiled(filename: string): unknown {
  if (!existsSync(compiledName(filename))) return createRequire(filename)(filename);
  const source = readFileSync(filename);
  const compiled = readFileSync(compiledName(filename));
  if (!compiled.subarray(0, source.length).equals(source)) return createRequire(filename)(filename);
  return runProgram(filename, compileProgram(filename, source, compiled.subarray(source.length)));
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
