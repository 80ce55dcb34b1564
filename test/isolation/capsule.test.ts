import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noSecrets } from '../../src/policy/secrets/redact.ts';
import { type Launched, launch } from '../../src/runtime/process/launch.ts';
import { runCapsule } from '../../src/runtime/runner.ts';
import { bare } from '../../src/runtime/sandbox/levels/bare.ts';
import type { Sandbox } from '../../src/runtime/sandbox/sandbox.ts';
import { aRequest } from '../capsules/request.ts';
import { hasBubblewrap, hasLandlock, levelA, levelB } from './sandboxes.ts';

let outside: string;
let bystander: Launched;
let server: Server;
let target: Record<string, unknown>;

beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), 'capstan-outside-'));
  const canary = join(outside, 'canary');
  writeFileSync(canary, 'a secret\n', { mode: 0o600 });
  const mark = randomUUID();
  // A stand-in for the coordinator: a process of the same user with a secret in its environment.
  bystander = await launch({
    argv: ['node', '-e', 'process.stdin.resume()'],
    cwd: '/',
    env: { mark },
  });
  server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  target = { canary, outside, mark, port, pid: bystander.pid, home: homedir() };
});
afterAll(() => {
  bystander.kill('SIGKILL');
  server.close();
  rmSync(outside, { recursive: true, force: true });
});

/** What one hostile program reports about its act. */
async function outcomeOf(
  program: string,
  sandbox: Sandbox,
  dir = join(import.meta.dirname, 'capsules'),
  entrypoint: readonly string[] = ['node', `${program}.cjs`],
): Promise<string> {
  const response = await runCapsule({
    clean: noSecrets.redact,
    capsule: program,
    dir,
    entrypoint,
    sdkPath: join(import.meta.dirname, '../../dist/capsule-sdk.cjs'),
    request: aRequest({ task: JSON.stringify(target) }),
    onIntent: () => Promise.reject(new Error('nothing is asked')),
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    sandbox,
  });
  return (response.result as { text: string }).text;
}

const refused = 'EPERM';

/** Program, its result at level A, and at level B. */
const attacks: readonly (readonly [string, string, string])[] = [
  ['reads-a-file-outside', 'ENOENT', 'EACCES'],
  ['reads-shadow', 'ENOENT', 'EACCES'],
  ['lists-the-home', 'ENOENT', 'EACCES'],
  ['reads-the-coordinators-environment', 'ENOENT', 'EACCES'],
  ['searches-all-environments', 'not found', 'EACCES'],
  ['finds-paths-in-command-lines', 'none', 'EACCES'],
  ['reads-the-parents-memory', 'ENOENT', 'EACCES'],
  ['connects-to-loopback', refused, refused],
  ['looks-up-a-name', 'ECONNREFUSED', 'ECONNREFUSED'],
  ['sends-a-datagram', refused, refused],
  ['listens-on-a-unix-socket', refused, refused],
  ['starts-a-shell', refused, refused],
  ['forks-itself', refused, refused],
  ['writes-its-own-folder', 'EROFS', 'EACCES'],
  ['changes-the-sdk', 'EROFS', 'EACCES'],
  ['writes-outside', 'ENOENT', 'EACCES'],
  ['fills-its-tmp', 'ENOSPC', 'EACCES'],
  ['fills-dev-shm', 'EROFS', 'EACCES'],
  ['signals-the-coordinator', 'ESRCH', refused],
  ['sees-other-processes', 'its own alone', 'EACCES'],
];

describe.runIf(hasBubblewrap)('a hostile capsule at level A', () => {
  it.each(attacks)('that %s has no effect', async (program, atA) => {
    expect(await outcomeOf(program, levelA())).toBe(atA);
    expect(existsSync(join(outside, 'planted'))).toBe(false);
  });

  it('that allocates without end is ended, and its attempt has failed', async () => {
    await expect(outcomeOf('allocates-without-end', levelA())).rejects.toMatchObject({
      code: 'CAPSULE_FELL_SILENT',
    });
  });

  it('gets no memory that is in no limit', async () => {
    const dir = join(import.meta.dirname, 'capsules');
    const argv = ['python3', '-I', 'shares_memory.py'];
    for (const sandbox of [levelA(), ...(hasLandlock ? [levelB()] : [])])
      expect(await outcomeOf('shares-memory', sandbox, dir, argv)).toBe('refused x 7');
  });

  it.each([
    ['memory that it made read-only', 'read-only', 'MiB of memory'],
    ['a stack that it moved', 'stack', 'MiB of memory'],
    ['page tables', 'tables', 'MiB of memory'],
    ['thousands of threads', 'threads', 'threads'],
  ])('is ended for %s, which no limit of a process counts', async (_, how, named) => {
    const dir = join(import.meta.dirname, 'capsules');
    const argv = ['python3', '-I', 'uses_uncounted.py', how];
    for (const sandbox of [levelA(), ...(hasLandlock ? [levelB()] : [])])
      await expect(outcomeOf('uses-uncounted', sandbox, dir, argv)).rejects.toMatchObject({
        code: 'CAPSULE_SPOKE_NONSENSE',
        message: expect.stringContaining(named),
      });
  });

  it('sees its own files in its folder, and neither its memory, its logs nor its cases', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'capstan-own-'));
    try {
      const from = join(import.meta.dirname, 'capsules');
      for (const name of ['tries.cjs', 'lists-its-folder.cjs'])
        cpSync(join(from, name), join(dir, name));
      for (const name of ['logs', 'cases']) mkdirSync(join(dir, name));
      writeFileSync(join(dir, 'cases/a.yaml'), '');
      writeFileSync(join(dir, 'logs/a.log'), '');
      for (const name of ['memory.db', 'memory.db-wal', 'manifest.json'])
        writeFileSync(join(dir, name), '');
      symlinkSync(outside, join(dir, 'link'));
      for (const sandbox of [levelA(), ...(hasLandlock ? [levelB()] : [])])
        expect(await outcomeOf('lists-its-folder', sandbox, dir)).toBe(
          'lists-its-folder.cjs manifest.json tries.cjs',
        );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it('may use threads', async () => {
    expect(await outcomeOf('works-in-threads', levelA())).toBe('done');
  });

  it("is not started if its sandbox can't be built, and the attempt says so", async () => {
    const sandbox: Sandbox = {
      ...levelA(),
      forCapsule(request) {
        const plan = levelA().forCapsule(request);
        const [first, ...rest] = plan.argv.flatMap((word) =>
          word === '--' ? ['--ro-bind', '/nowhere', '/missing', '--'] : [word],
        );
        return { ...plan, argv: [first ?? '', ...rest] };
      },
    };
    await expect(outcomeOf('reads-shadow', sandbox)).rejects.toMatchObject({
      code: 'CAPSULE_NOT_ISOLATED',
    });
  });
});

describe.runIf(hasLandlock)('a hostile capsule at level B', () => {
  it.each(attacks)('that %s has no effect', async (program, _, atB) => {
    expect(await outcomeOf(program, levelB())).toBe(atB);
    expect(existsSync(join(outside, 'planted'))).toBe(false);
  });
});

describe('a capsule without a sandbox', () => {
  it('can do without a sandbox what the attacks try: they are real', async () => {
    for (const program of ['reads-a-file-outside', 'connects-to-loopback', 'starts-a-shell'])
      expect(await outcomeOf(program, bare)).toBe('done');
  });
});
