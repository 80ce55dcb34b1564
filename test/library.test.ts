import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunDocument } from '../src/app/runs/show/run-document.ts';
import type { NumberedEvent } from '../src/contract/event.ts';
import { hasBubblewrap } from './isolation/sandboxes.ts';
import { sourceImports } from './sources/source-imports.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The folder of a program that embeds Capstan: the unpacked package, and links to the packages that it depends on. */
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-library-'));
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: root });
  const installed = join(folder, 'node_modules/capstan');
  mkdirSync(installed, { recursive: true });
  const tarball = join(folder, JSON.parse(stdout)[0].filename);
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  for (const name of Object.keys(dependencies))
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  CAPSTAN_HOME: join(folder, 'home'),
});

/** Compiles the example as a strict project without any further types would. */
async function compileExample(): Promise<void> {
  const name = 'two-workspaces.ts';
  copyFileSync(join(root, 'examples/library', name), join(folder, name));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const flags = ['--strict', '--skipLibCheck', 'false', '--types', '', '--module', 'nodenext'];
  await run(process.execPath, [tsc, ...flags, name], { cwd: folder }).catch(({ stdout }) => {
    throw new Error(stdout);
  });
}

/** The texts of the packed type declarations. */
function declarations(): string[] {
  const types = join(folder, 'node_modules/capstan/dist/types');
  return readdirSync(types, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => readFileSync(join(types, path), 'utf8'));
}

/** The packages and built-in modules that a file of `src/` imports statically, itself or through others. */
function importedAtOnce(entry: string): string[] {
  const imports = sourceImports(join(root, 'src')).filter(({ kind }) => kind === 'static');
  const reached = new Set([entry]);
  for (const file of reached)
    for (const { from, to } of imports) if (from === file) reached.add(to);
  return [...reached].filter((name) => !name.endsWith('.ts'));
}

describe('the packed library', () => {
  it('has types that name no package outside its dependencies', () => {
    const named = declarations().flatMap((text) =>
      [...text.matchAll(/(?:from|import\(|types=)\s*['"]([^.'"][^'"]*)['"]/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(named.filter((name) => !(name in dependencies))).toEqual([]);
  });

  it('has types that show no internal structure', () => {
    expect(declarations().length).toBeGreaterThan(0);
    for (const text of declarations())
      expect(text).not.toMatch(/\b(AppContext|Stores|Db|RunRecord|IntentRecord|Redactor)\b/);
  });

  it('loads no file but its own when it is imported', async () => {
    const program = `
      import { createRequire } from 'node:module';
      await import('capstan');
      console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));`;
    writeFileSync(join(folder, 'load.js'), program);
    const options = { cwd: folder, env: environment() };
    const { stdout } = await run(process.execPath, ['load.js'], options);
    expect(JSON.parse(stdout)).toEqual([join(folder, 'node_modules/capstan/dist/library.cjs')]);
  });

  it('evaluates neither the database nor LangGraph when it is imported', () => {
    const heavy = /langchain|sqlite/;
    expect(importedAtOnce('app/library.ts').filter((name) => heavy.test(name))).toEqual([]);
    expect(importedAtOnce('app/runs/run-host.ts').filter((name) => heavy.test(name))).not.toEqual(
      [],
    );
  });

  it('is never loaded by the command line', () => {
    const own = join(folder, 'node_modules/capstan');
    const programs = readdirSync(join(own, 'bin')).map((name) => join(own, 'bin', name));
    for (const path of [...programs, join(own, 'dist/main.cjs')])
      expect(readFileSync(path, 'utf8')).not.toMatch(/library\.cjs/);
  });
});

/** A run of the example. */
interface Example {
  readonly child: ChildProcess;
  /** What it prints, one object a line. */
  readonly lines: Line[];
  /** The exit code and the text on stderr. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
  /** Resolves once this many lines are printed, or the process has ended. */
  printed(count: number): Promise<void>;
}

type Line = Partial<RunDocument & NumberedEvent> & {
  readonly id?: string;
  readonly workspace?: string;
  readonly question?: string;
};

function startExample(...args: readonly string[]): Example {
  const child = spawn(process.execPath, ['two-workspaces.js', ...args], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Line[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(JSON.parse(line)));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stderr })),
  );
  const printed = (count: number) =>
    new Promise<void>((resolve) => {
      const check = () => lines.length >= count && resolve();
      reader.on('line', check);
      void ended.then(() => resolve());
      check();
    });
  return { child, lines, ended, printed };
}

/** A workspace with a file to count, and a report of the user, so that the run has to ask. */
function addWorkspace(name: string): string {
  const dir = join(folder, name);
  mkdirSync(dir);
  writeFileSync(join(dir, 'notes.txt'), 'one\ntwo\n');
  writeFileSync(join(dir, 'count.md'), 'old\n');
  return dir;
}

describe.skipIf(!hasBubblewrap)('the example (skipped without bubblewrap)', () => {
  const started = new Set<Example>();
  afterAll(() => {
    for (const { child } of started) child.kill('SIGKILL');
  });
  const start = (...args: readonly string[]): Example => {
    const example = startExample(...args);
    started.add(example);
    return example;
  };

  it('runs two workspaces, is followed and cancelled by another process, and answers a question', async () => {
    await compileExample();
    const [one, two] = [addWorkspace('one'), addWorkspace('two')];
    const owner = start('start', one, two);
    await owner.printed(2);
    const [counting = '', sleeping = ''] = owner.lines.map(({ id = '' }) => id);
    expect(owner.lines).toEqual([
      { id: counting, workspace: one },
      { id: sleeping, workspace: two },
    ]);
    const watcher = start('watch', counting, sleeping);
    expect(await watcher.ended).toEqual({ code: 0, stderr: '' });
    expect(await owner.ended).toEqual({ code: 0, stderr: '' });

    const [, , cancelled, question, completed] = owner.lines;
    expect(cancelled).toMatchObject({ run_id: sleeping, status: 'cancelled', reason: 'cancelled' });
    expect(question).toMatchObject({
      question: expect.stringMatching(/^Allow .+ to change count\.md\?$/),
    });
    expect(completed).toMatchObject({ run_id: counting, status: 'completed', reason: null });
    expect(completed?.approvals).toMatchObject([{ id: question?.id, status: 'consumed' }]);
    expect(readFileSync(join(one, 'count.md'), 'utf8')).toContain('2 lines');
    expect(readFileSync(join(two, 'count.md'), 'utf8')).toBe('old\n');

    for (const [id, status] of [
      [counting, 'completed'],
      [sleeping, 'cancelled'],
    ]) {
      const followed = watcher.lines.filter((line) => line.id === id);
      expect(followed.map(({ seq }) => seq)).toEqual(followed.map((_, index) => index + 1));
      expect(followed[0]?.event).toMatchObject({ type: 'run.started', run_id: id });
      expect(followed.at(-1)?.event).toMatchObject({ type: 'run.ended', status });
    }
  });
});
