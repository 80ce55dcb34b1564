import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aRequest } from '../../../test/capsules/request.ts';
import { toLine } from '../../platform/text/lines.ts';
import { compiledName } from './compiled.ts';

const sdkPath = join(import.meta.dirname, '../../../dist/capsule-sdk.cjs');
const saying = (word: string) =>
  Buffer.from(`const word = '${word}';\nexports.handlers = { say: async () => word };\n`);
const entrypoint = `const { start, requireCompiled } = require(process.env.CAPSTAN_SDK);
start({ handlers: () => requireCompiled(require.resolve('./handlers.cjs')).handlers });`;

let dir: string;
let program: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'compiled-'));
  program = join(dir, 'handlers.cjs');
  writeFileSync(join(dir, 'entrypoint.cjs'), entrypoint);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function answer(): Promise<unknown> {
  const env = { CAPSTAN_SDK: sdkPath };
  const child = spawn(process.execPath, ['entrypoint.cjs'], { cwd: dir, env });
  child.stdin.write(toLine(aRequest({ config: { task_kind: 'say' } })));
  return JSON.parse(await text(child.stdout)).result;
}

/** Compiled in a process with the flags of a capsule. */
const compiler =
  "process.stdout.write(new vm.Script(require('node:module').wrap(process.argv[1])).createCachedData())";

/** Code that says something else shows where an answer is from: V8 compares only the length of its source. */
const writeCompiled = (source: Buffer) => {
  const code = execFileSync(process.execPath, ['-e', compiler, String(saying('tea'))], { env: {} });
  writeFileSync(compiledName(program), Buffer.concat([source, code]));
};

describe('handlers', () => {
  it('run from the compiled code of their source', async () => {
    writeFileSync(program, saying('pie'));
    writeCompiled(saying('pie'));
    expect(await answer()).toBe('tea');
  });

  it('run from their source if the compiled code is that of another one', async () => {
    writeFileSync(program, saying('pie'));
    writeCompiled(saying('tea'));
    expect(await answer()).toBe('pie');
  });

  it('run from their source if the compiled code is damaged', async () => {
    writeFileSync(program, saying('pie'));
    writeFileSync(compiledName(program), Buffer.concat([saying('pie'), Buffer.alloc(500, 7)]));
    expect(await answer()).toBe('pie');
  });
});
