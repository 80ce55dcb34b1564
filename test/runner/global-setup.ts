import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn as openTerminal } from '@lydell/node-pty';
import type { TestProject } from 'vitest/node';
import {
  buildAll,
  buildChildren,
  buildHandlers,
  buildSdk,
  buildVocabularyIndex,
} from '../../scripts/build.ts';
import { bundleLean, writeLauncher } from '../programs/lean-program.ts';
import { programsFolder } from '../programs/start-program.ts';
import { shareCache } from './share-cache.ts';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

/** The project whose tests start small programs only, and the one of the configuration, which has no tests. */
const SMALL = ['parts', ''];

/**
 * Bundles the programs that tests start, from the current sources. If the command line can't be bundled, the other tests
 * still run. The temporary folder is removed at the end, with the files of killed processes. With `CAPSTAN_TESTS_BUILT`
 * (set by `.ci/run`), nothing is bundled, because `npm run build` has just done it.
 *
 * @returns What is done when all tests have ended.
 */
export default async function setup({ name }: TestProject): Promise<() => void> {
  const { CAPSTAN_TESTS_BUILT: built, CAPSTAN_TESTS_PREPARED: prepared } = process.env;
  const wanted = SMALL.includes(name) ? 'small' : 'all';
  // Each project of the configuration asks for it; they share this process.
  if (prepared === 'all' || prepared === wanted) return () => undefined;
  process.env['CAPSTAN_TESTS_PREPARED'] = wanted;
  if (built !== '1') await (wanted === 'small' ? buildSmall() : buildWhatTestsStart());
  const remove = prepared === undefined ? makeFolders() : () => undefined;
  if (wanted === 'all') await Promise.all([buildPrograms(), startServerOnce(), converseOnce()]);
  return remove;
}

/** @returns Removes them. */
function makeFolders(): () => void {
  // Short: paths of sockets may have 107 bytes.
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'ct-')));
  const programs = mkdtempSync(join(import.meta.dirname, '../../node_modules/.capstan-tests-'));
  process.env['TMPDIR'] = temporary;
  process.env['CAPSTAN_TESTS_PROGRAMS'] = programs;
  return () => {
    for (const folder of [temporary, programs])
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

async function buildPrograms(): Promise<void> {
  const folder = programsFolder();
  await bundleLean(join(import.meta.dirname, '../programs/programs.ts'), folder);
  writeLauncher(folder, 'start.cjs', 'process.argv.slice(2)');
}

async function buildSmall(): Promise<unknown> {
  buildVocabularyIndex();
  return Promise.all([buildSdk(), buildHandlers(), buildChildren()]);
}

async function buildWhatTestsStart(): Promise<void> {
  await buildAll().catch((error) => {
    console.warn(`dist/main.cjs is out of date: ${error}`);
    return buildSmall();
  });
}

/** A server that is stopped leaves compiled code for all others (`share-cache.ts`); those of the tests are killed. */
async function startServerOnce(): Promise<void> {
  const home = join(process.env['TMPDIR'] ?? '', 'first-server');
  shareCache(home);
  const child = spawn(process.execPath, [launcher, 'serve', '--json', '--no-open', '--port', '0'], {
    env: { PATH: process.env['PATH'], HOME: home, CAPSTAN_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  child.stdout.once('data', () => child.kill());
  await once(child, 'close');
}

/** The same for a conversation: most of those of the tests are killed, and each would compile its code. */
async function converseOnce(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'first-conversation-'));
  writeFileSync(join(home, 'orders.csv'), 'id,amount\n1,3\n');
  shareCache(home);
  const screen = openTerminal(process.execPath, [launcher], {
    cwd: home,
    env: {
      ...{ PATH: process.env['PATH'], HOME: home, CAPSTAN_HOME: home, LANG: 'C.UTF-8' },
      CAPSTAN_PROVIDER: 'offline',
    },
  });
  const lines = [
    { after: '/ menu', type: 'Count the rows of orders.csv\r' },
    { after: 'Done in', type: '/quit\r' },
  ];
  let written = '';
  screen.onData((text) => {
    written += text;
    if (!written.includes(lines[0]?.after ?? '\0')) return;
    screen.write(lines.shift()?.type ?? '');
    written = '';
  });
  const timer = setTimeout(() => screen.kill('SIGKILL'), 60_000);
  await new Promise((resolve) => screen.onExit(resolve));
  clearTimeout(timer);
}
