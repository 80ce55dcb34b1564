import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aRequest } from '../../../test/capsules/request.ts';
import { hasBubblewrap, hasLandlock, levelA, levelB } from '../../../test/isolation/sandboxes.ts';
import { noSecrets } from '../../policy/secrets/redact.ts';
import { shimText } from '../../registry/manifest/entrypoint-shim.ts';
import { runCapsule } from '../runner.ts';
import { bare } from '../sandbox/levels/bare.ts';
import { nodePermission } from '../sandbox/levels/node-permission.ts';
import { compiledFile, compiledName } from './compiled.ts';

const root = join(import.meta.dirname, '../../..');
/** Words have one length, because V8 compares only the length of the source. */
const saying = (word: string) =>
  Buffer.from(`const word = '${word}';\nexports.handlers = { say: async () => word };\n`);

let dir: string;
let program: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'compiled-'));
  program = join(dir, 'handlers.cjs');
  writeFileSync(join(dir, 'entrypoint.cjs'), shimText(true));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function answer({ sandbox = bare, isShipped = true, task_kind = 'say' } = {}) {
  const response = await runCapsule({
    clean: noSecrets.redact,
    capsule: 'talker',
    dir,
    entrypoint: ['node', 'entrypoint.cjs'],
    sdkPath: join(root, 'dist/capsule-sdk.cjs'),
    isShipped,
    request: aRequest({ config: { task_kind } }),
    onIntent: () => Promise.reject(new Error('nothing is asked')),
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    sandbox,
  });
  return response.result;
}

/** Compiles in a process with the flags of a capsule. */
const compiler =
  "process.stdout.write(new vm.Script(require('node:module').wrap(process.argv[1])).createCachedData())";
const compile = (source: Buffer): Buffer =>
  execFileSync(process.execPath, ['-e', compiler, String(source)], { env: {} });

/** The source says pie and the compiled code tea, so that an answer shows where it is from. */
function writeBoth(source = saying('pie')): void {
  writeFileSync(program, saying('pie'));
  writeFileSync(compiledName(program), compiledFile(source, compile(saying('tea'))));
}

/** Those that this machine supports. */
const levels = [
  { level: 'A', isHere: hasBubblewrap, sandboxOf: () => levelA() },
  { level: 'B', isHere: hasLandlock, sandboxOf: levelB },
  { level: 'C', isHere: true, sandboxOf: () => nodePermission({ prlimit: undefined }) },
  { level: 'none', isHere: true, sandboxOf: () => bare },
].filter(({ isHere }) => isHere);

describe('handlers', () => {
  it.each(levels)(
    'of a shipped capsule run from the compiled code, at level $level',
    async ({ sandboxOf }) => {
      writeBoth();
      expect(await answer({ sandbox: sandboxOf() })).toBe('tea');
    },
  );

  // At level C, they don't run at all.
  it.each(levels.filter(({ level }) => level !== 'C'))(
    'of a person or a project run from the source, at level $level',
    async ({ sandboxOf }) => {
      writeBoth();
      expect(await answer({ sandbox: sandboxOf(), isShipped: false })).toBe('pie');
    },
  );

  it('run from the source if the compiled code is that of another source', async () => {
    writeBoth(saying('tea'));
    expect(await answer()).toBe('pie');
  });

  it('run from the source if one bit of the compiled code is wrong', async () => {
    const shipped = join(root, 'agents/table-analyst/handlers.cjs');
    copyFileSync(shipped, program);
    const code = readFileSync(compiledName(shipped));
    for (const part of [0.25, 0.5, 0.75]) {
      const at = Math.floor(code.length * part);
      writeFileSync(compiledName(program), code.fill(code.readUInt8(at) ^ 1, at, at + 1));
      expect(await answer({ task_kind: 'nothing' })).toMatchObject({ code: 'TASK_KIND_UNKNOWN' });
    }
  });

  it.each([0, 20, 500])(
    'run from the source if only %i bytes of it were written',
    async (length) => {
      writeBoth();
      const whole = readFileSync(compiledName(program));
      writeFileSync(compiledName(program), whole.subarray(0, length));
      expect(await answer()).toBe('pie');
    },
  );
});
