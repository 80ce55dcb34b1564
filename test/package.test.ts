import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAll } from '../scripts/build.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const minutes = 60_000;

let folder: string;
let installed: string;

/** The environment that npm needs; nothing of it reaches the product under test. */
const npmEnvironment = (prebuilds: string) => ({
  ...process.env,
  NODE_EXTRA_CA_CERTS: process.env['NPM_EXTRA_CA_CERTS'] ?? '',
  npm_config_better_sqlite3_local_prebuilds: prebuilds,
});

/**
 * Packs the binary that this clone compiled or downloaded as the file that npm would download for the installation: if
 * the download is not available, compiling it once is enough.
 */
async function packBinary(): Promise<string> {
  const from = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const prebuilds = join(folder, 'prebuilds');
  mkdirSync(prebuilds);
  const { platform, arch, versions } = process;
  const name = `better-sqlite3-v${version}-node-v${versions.modules}-${platform}-${arch}.tar.gz`;
  const binary = 'build/Release/better_sqlite3.node';
  await run('tar', ['-czf', join(prebuilds, name), '-C', from, binary]);
  return prebuilds;
}

async function install(): Promise<string> {
  if (process.env['CAPSTAN_TESTS_BUILT'] !== '1') await buildAll();
  const env = npmEnvironment(await packBinary());
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: root, env });
  const tarball = join(folder, JSON.parse(stdout)[0].filename);
  const prefix = join(folder, 'prefix');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', ['install', '--global', '--prefix', prefix, ...flags, tarball], {
    cwd: folder,
    env,
    timeout: 5 * minutes,
  });
  writeFileSync(join(folder, 'installed'), '');
  return prefix;
}

const capstan = (argv: readonly string[], cwd = folder) =>
  run(join(installed, 'bin/capstan'), argv, {
    cwd,
    timeout: minutes,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, CAPSTAN_HOME: join(folder, 'home') },
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-package-'));
  installed = await install();
}, 6 * minutes);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the packed product, installed globally from its tarball', () => {
  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect((await capstan(['--version'])).stdout.trim()).toBe(version);
  });

  it('does the main job of the README in an empty folder, with no key', {
    timeout: 2 * minutes,
  }, async () => {
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    cpSync(join(root, 'examples/access.log'), join(workspace, 'examples/access.log'));
    const task =
      'Find the ten slowest requests in examples/access.log, group the errors by endpoint, and save a report as report.md';
    const { stdout } = await capstan(['run', '--provider', 'offline', task], workspace);
    expect(stdout).toContain('report.md');
    expect(readFileSync(join(workspace, 'report.md'), 'utf8')).toMatch(/slowest/i);
  });

  it('writes nothing into its own folder', async () => {
    const own = join(installed, 'lib/node_modules/capstan');
    const { stdout } = await run('find', [own, '-newer', join(folder, 'installed')]);
    expect(stdout).toBe('');
  });

  it('contains its license, and those of the bundled packages', () => {
    const own = join(installed, 'lib/node_modules/capstan');
    for (const file of ['LICENSE', 'dist/THIRD_PARTY_NOTICES.txt']) {
      expect(existsSync(join(own, file))).toBe(true);
    }
  });
});
