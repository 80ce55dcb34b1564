import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openScreen } from './terminal/open-screen.ts';

const root = join(import.meta.dirname, '..');

/** A program as the build creates it: prints its arguments, and exits as the first one says. */
const program = `
exports.main = async (argv) => {
  if (argv[0] === 'dry') return new Promise(() => {});
  const traced = Object.keys(process.env).filter((name) => /^LANG(SMITH|CHAIN)/.test(name));
  process.stdout.write(JSON.stringify({ argv, traced, mode: process.env.NODE_ENV, at: __filename }));
  return argv[0] === 'exit' ? Number(argv[1]) : 0;
};
`;

let folder: string;
let home: string;

function launch(
  argv: readonly string[],
  env: Record<string, string> = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
) {
  return spawnSync(process.execPath, [join(folder, 'bin/capstan.js'), ...argv], {
    encoding: 'utf8',
    timeout: 20_000,
    stdio: [stdin, 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', CAPSTAN_HOME: home, ...env },
  });
}

const codeFolder = () => join(home, 'cache/code');

function build(source: string, bundle: string) {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'dist/main.cjs'), source);
  const texts = { version: '1.2.3\n', help: 'Usage: capstan\n', bundle };
  writeFileSync(join(folder, 'dist/launcher.json'), JSON.stringify(texts));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-launcher-'));
  home = join(folder, 'home');
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  build(program, 'one');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the launcher', () => {
  it.each([
    ['--version', '1.2.3\n'],
    ['-V', '1.2.3\n'],
    ['--help', 'Usage: capstan\n'],
    ['-h', 'Usage: capstan\n'],
    ['help', 'Usage: capstan\n'],
  ])('answers %s without loading the program', (argument, text) => {
    writeFileSync(join(folder, 'dist/main.cjs'), 'throw new Error("loaded");');
    expect(launch([argument])).toMatchObject({ status: 0, stdout: text, stderr: '' });
  });

  it('shows help when nothing is asked of it', () => {
    expect(launch([])).toMatchObject({ status: 0, stdout: 'Usage: capstan\n' });
  });

  it('hands over to the program if stdin is a pipe, which may have a task', () => {
    expect(JSON.parse(launch([], {}, 'pipe').stdout).argv).toEqual([]);
  });

  it('hands over to the program at a terminal, and shows help there in CI', async () => {
    const args = [join(folder, 'bin/capstan.js')];
    const at = { program: process.execPath, args, cwd: folder };
    const screens = [{}, { CI: '1' }].map((env) =>
      openScreen({ ...at, env: { CAPSTAN_HOME: home, ...env } }),
    );
    expect(await Promise.all(screens.map(({ ended }) => ended))).toEqual([0, 0]);
    // The terminal may show the last output a moment after the end of the program.
    await expect.poll(() => screens[0]?.text()).toContain('"argv":[]');
    await expect.poll(() => screens[1]?.text()).toBe('Usage: capstan');
  });

  it('hands over everything else, and ends with the exit code of the program', () => {
    const { status, stdout } = launch(['exit', '5', '--help']);
    expect(status).toBe(5);
    expect(JSON.parse(stdout).argv).toEqual(['exit', '5', '--help']);
    expect(JSON.parse(stdout).at).toBe(join(folder, 'dist/main.cjs'));
  });

  it('fails when the program ends without an exit code', () => {
    expect(launch(['dry']).status).toBe(1);
  });

  it('runs as production, and without anything that would trace prompts', () => {
    const { stdout } = launch(['x'], {
      LANGSMITH_TRACING: 'true',
      LANGSMITH_API_KEY: 'key',
      LANGCHAIN_TRACING_V2: 'true',
    });
    expect(JSON.parse(stdout)).toMatchObject({ traced: [], mode: 'production' });
  });

  it('explains how to build a clone that is not built', () => {
    rmSync(join(folder, 'dist'), { recursive: true });
    const { status, stderr } = launch(['run', 'x']);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'Capstan is not built yet: run `npm ci && npm run build` in its folder.\n',
    });
  });
});

describe('the code cache', () => {
  it('is stored separately for each command, for its owner only', () => {
    launch(['runs', 'list']);
    launch(['--capsule', 'x']);
    launch(['fix the tests']);
    const stem = `${process.version}-${process.arch}-one.v8`;
    expect(readdirSync(codeFolder()).sort()).toEqual([
      `other-${stem}`,
      `run-${stem}`,
      `runs-${stem}`,
    ]);
    expect(statSync(codeFolder()).mode & 0o777).toBe(0o700);
    expect(statSync(join(codeFolder(), `runs-${stem}`)).mode & 0o777).toBe(0o600);
  });

  it('never outlives its bundle, not even one of the same length', () => {
    expect(JSON.parse(launch(['x']).stdout).mode).toBe('production');
    build(program.replace('argv, traced', 'traced, argv'), 'two');
    expect(Object.keys(JSON.parse(launch(['x']).stdout))[0]).toBe('traced');
  });

  it('is not used if others could have written it', () => {
    launch(['x']);
    const [name = ''] = readdirSync(codeFolder());
    const file = join(codeFolder(), name);
    chmodSync(file, 0o666);
    expect(launch(['x']).status).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['is empty', ''],
    ['is garbage', 'garbage'.repeat(1_000)],
  ])('is created again if it %s', (_state, contents) => {
    launch(['x']);
    const [name = ''] = readdirSync(codeFolder());
    writeFileSync(join(codeFolder(), name), contents);
    expect(launch(['x']).status).toBe(0);
    expect(readFileSync(join(codeFolder(), name), 'latin1')).not.toBe(contents);
  });

  it("is optional if it can't be written", () => {
    writeFileSync(home, 'a file where the folder should be');
    expect(launch(['x'])).toMatchObject({ status: 0, stderr: '' });
  });

  it('stores nothing for an unknown command', () => {
    launch(['exit', '2']);
    expect(() => readdirSync(codeFolder())).toThrow('ENOENT');
  });
});
